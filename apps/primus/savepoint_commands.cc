#include "apps/primus/savepoint_commands.h"

#include <cstdio>
#include <iostream>

#include "apps/primus/savepoint.h"
#include "primus/savepoint/record.h"

namespace primus::apps {
namespace {

int CodeOf(const Status& status) {
  if (status.ok()) return 0;
  std::fprintf(stderr, "primus: %s\n", status.message().c_str());
  const bool input =
      status.code() == StatusCode::kNotFound || status.code() == StatusCode::kInvalidArgument;
  return input ? 2 : 1;
}

// A record is named by its file in the storage.
std::string PathOf(const SavePointOptions& options) {
  if (!options.record) return options.path;
  return options.path + "/" + savepoint::RecordName(*options.record);
}

}  // namespace

int ListSavePoints(const SavePointOptions& options) {
  return CodeOf(ListSavePoints(options.path, std::cout));
}

int InspectSavePoint(const SavePointOptions& options) {
  return CodeOf(InspectSavePoint(PathOf(options), std::cout));
}

int DumpSavePoint(const SavePointOptions& options) {
  return CodeOf(DumpTable(PathOf(options), options.table, std::cout));
}

}  // namespace primus::apps
