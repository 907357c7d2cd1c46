// How the bytes of a file become record batches: the seam of plugins/formats.
//
// A format decodes; where bytes come from is the source store's business (source_store.h). An
// opened file belongs to one thread at a time. Hostile bytes give a Status that names the file,
// never a crash. Conformance suite: format_conformance.h.
//
// A new one is a folder under plugins/formats, registered and linked in apps/primus; in steps:
// plugins/formats/parquet/README.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "primus/base/result.h"
#include "primus/config/slot.h"

namespace arrow {
class RecordBatch;
class Schema;
namespace io {
class RandomAccessFile;
}  // namespace io
}  // namespace arrow

namespace primus::data {

// Batches in file order; null at the end. After an error the reader is dead.
class BatchReader {
 public:
  virtual ~BatchReader() = default;
  virtual Result<std::shared_ptr<arrow::RecordBatch>> Next() = 0;
};

struct ReadScope {
  std::vector<std::string> columns;  // top-level names, all in the schema; the batches' order
  uint64_t first_row = 0;
  uint64_t rows = 0;  // exactly as many come, or an error
  int64_t batch_rows = 65536;
};

class TableFile {
 public:
  virtual ~TableFile() = default;
  virtual const std::shared_ptr<arrow::Schema>& schema() const = 0;
  // From the file's own metadata, without reading data.
  virtual uint64_t rows() const = 0;
  // kInvalidArgument for a column that is not there, kOutOfRange for rows that are not. The file
  // outlives its readers.
  virtual Result<std::unique_ptr<BatchReader>> Read(const ReadScope& scope) = 0;
};

class Format {
 public:
  virtual ~Format() = default;
  // `path` is for messages only. kDataLoss when the bytes are not a whole file of this format.
  virtual Result<std::unique_ptr<TableFile>> Open(
      std::shared_ptr<arrow::io::RandomAccessFile> input, const std::string& path) const = 0;
};

// From the plug-in's own message, serialised.
using FormatFactory = std::function<Result<std::unique_ptr<Format>>(std::string_view options)>;
using FormatSlot = config::Slot<FormatFactory>;  // "formats"

}  // namespace primus::data
