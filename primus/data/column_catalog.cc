#include "primus/data/column_catalog.h"

#include <utility>

#include "primus/config/nearest_name.h"

namespace primus::data {

void ColumnCatalog::Add(ColumnPlace place) { places_[place.name].push_back(std::move(place)); }

Result<ColumnPlace> ColumnCatalog::Find(std::string_view name) const {
  const auto found = places_.find(name);
  if (found == places_.end()) {
    std::vector<std::string> names;
    for (const auto& [known, places] : places_) names.push_back(known);
    return NotFoundError("expected one of the stream's columns, got " + std::string(name) +
                         config::Hint(name, names) + " (columns: " + config::OneOf(names) + ")");
  }
  const std::vector<ColumnPlace>& places = found->second;
  if (places.size() > 1 && places[0].origin == places[1].origin) {
    return InvalidArgumentError("two columns of " + sources_[places[0].origin] + " are named " +
                                std::string(name) + "; rename or drop one of them in its files");
  }
  if (places.size() > 1) {
    return InvalidArgumentError("column " + std::string(name) + " is in both " +
                                sources_[places[0].origin] + " and " + sources_[places[1].origin] +
                                "; rename it in one of them, or join by it");
  }
  return places.front();
}

}  // namespace primus::data
