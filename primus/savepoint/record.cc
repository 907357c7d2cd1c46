#include "primus/savepoint/record.h"

#include <charconv>

#include "primus/batch/wire_spans.h"
#include "primus/savepoint/sealed.h"

#include "proto/wire/record.pb.h"

namespace primus::savepoint {
namespace {

constexpr std::string_view kPrefix = "records/";
constexpr std::size_t kDigits = 12;
constexpr std::string_view kMagic = "PRIMREC1";

// Reads `letter` and a number from the front of `text`.
bool TakeNumber(std::string_view& text, char letter, uint64_t& number) {
  if (text.empty() || text.front() != letter) return false;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data() + 1, end, number);
  if (result.ec != std::errc()) return false;
  text = std::string_view(result.ptr, static_cast<std::size_t>(end - result.ptr));
  return true;
}

}  // namespace

std::string RecordName(uint64_t number) {
  std::string digits = std::to_string(number);
  if (digits.size() < kDigits) digits.insert(0, kDigits - digits.size(), '0');
  return std::string(kPrefix) + digits;
}

std::optional<uint64_t> RecordNumber(std::string_view name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  uint64_t number = 0;
  const auto result = std::from_chars(name.data(), name.data() + name.size(), number);
  if (result.ec != std::errc() || result.ptr != name.data() + name.size()) return std::nullopt;
  return number;
}

std::string EncodeRecord(const wire::Record& record) {
  return Seal(kMagic, record.SerializeAsString());
}

Status DecodeRecord(std::string_view bytes, wire::Record* record) {
  PRIMUS_ASSIGN(const std::string_view message, Unseal(kMagic, bytes));
  if (!record->ParseFromArray(message.data(), static_cast<int>(message.size()))) {
    return DataLossError("the record cannot be parsed");
  }
  return OkStatus();
}

std::optional<PartName> ParsePartName(std::string_view name) {
  constexpr std::string_view kParts = "parts/";
  if (!name.starts_with(kParts)) return std::nullopt;
  name.remove_prefix(kParts.size());
  PartName part;
  const auto skip_dot = [&name] {
    if (name.empty() || name.front() != '.') return false;
    name.remove_prefix(1);
    return true;
  };
  const bool parsed = TakeNumber(name, 'a', part.attempt) && skip_dot() &&
                      TakeNumber(name, 'v', part.view) && skip_dot() &&
                      TakeNumber(name, 'c', part.cut) && name.starts_with("/");
  return parsed ? std::optional(part) : std::nullopt;
}

void ToWire(const data::Position& position, wire::DataPosition* message) {
  message->set_phase(position.phase);
  message->set_tasks_done(position.tasks_done);
  batch::AddSpans(position.open, message->mutable_open());
  wire::RowCounts* counts = message->mutable_counts();
  counts->set_read(position.counts.read);
  for (const uint64_t rows : position.counts.kinds) counts->add_kinds(rows);
}

data::Position FromWire(const wire::DataPosition& message) {
  data::Position position;
  position.phase = message.phase();
  position.tasks_done = message.tasks_done();
  for (const wire::Spans& spans : message.open()) batch::AppendSpans(spans, position.open);
  position.counts.read = message.counts().read();
  for (int i = 0; i < message.counts().kinds_size(); ++i) {
    if (static_cast<std::size_t>(i) < batch::kRowKinds) {
      position.counts.kinds[static_cast<std::size_t>(i)] = message.counts().kinds(i);
    }
  }
  return position;
}

}  // namespace primus::savepoint
