// Parquet files, flat and nested, of any codec and encoding that Arrow knows. Page checksums are
// verified where the file has them.
#pragma once

#include <memory>
#include <string_view>

#include "primus/data/format.h"

namespace primus::formats {

Result<std::unique_ptr<data::Format>> MakeParquetFormat(std::string_view options);

// The line for apps/primus/plugins.cc: `parquet`.
void AddParquet(data::FormatSlot& slot);

}  // namespace primus::formats
