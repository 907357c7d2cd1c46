// The columns that a stream's rows have after its joins: name → where it lives and its type.
//
// An origin is a set of rows that columns belong to: 0 is the base source, 1 … the joined
// dimensions in the order of the joins. Values.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "primus/base/result.h"

namespace arrow {
class DataType;
}  // namespace arrow

namespace primus::data {

inline constexpr std::size_t kBaseOrigin = 0;

struct ColumnPlace {
  std::size_t origin = kBaseOrigin;
  std::string name;
  std::shared_ptr<arrow::DataType> type;  // decoded (discrete_values.h)
};

class ColumnCatalog {
 public:
  // Ordinals follow the order of the calls; the first is the base.
  void AddOrigin(std::string source) { sources_.push_back(std::move(source)); }
  const std::string& source(std::size_t origin) const { return sources_[origin]; }

  void Add(ColumnPlace place);
  bool Has(std::string_view name) const { return places_.find(name) != places_.end(); }
  // The only column of that name. kNotFound with the nearest name when there is none,
  // kInvalidArgument when several sources have it.
  Result<ColumnPlace> Find(std::string_view name) const;

 private:
  std::vector<std::string> sources_;
  std::map<std::string, std::vector<ColumnPlace>, std::less<>> places_;
};

}  // namespace primus::data
