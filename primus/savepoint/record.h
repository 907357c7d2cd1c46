// The durable history of a job as blobs: names, bytes, and what the newest record means.
// Rules: docs/protocol.md, section 7.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "primus/base/ids.h"
#include "primus/base/result.h"
#include "primus/data/ledger.h"

namespace primus::wire {
class DataPosition;
class Record;
}  // namespace primus::wire

namespace primus::savepoint {

// "records/000000000012"
std::string RecordName(uint64_t number);
// Nothing if `name` is not a record's.
std::optional<uint64_t> RecordNumber(std::string_view name);

// Sealed (sealed.h) under the magic "PRIMREC1".
std::string EncodeRecord(const wire::Record& record);
// kDataLoss names what is wrong with the bytes.
Status DecodeRecord(std::string_view bytes, wire::Record* record);

struct PartName {
  uint64_t attempt = 0;
  uint64_t view = 0;
  uint64_t cut = 0;
};
// Of "parts/a1.v2.c3/s0-255.i4"; nothing for other names.
std::optional<PartName> ParsePartName(std::string_view name);

void ToWire(const data::Position& position, wire::DataPosition* message);
data::Position FromWire(const wire::DataPosition& message);

}  // namespace primus::savepoint
