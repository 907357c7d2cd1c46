// The commands that look into a job's storage: `primus savepoint list|inspect|dump STORAGE`. Each
// prints, and gives the exit code.
#pragma once

#include <cstdint>
#include <string>

namespace primus::apps {

struct SavePointOptions {
  std::string path;     // of the storage, or the name of its job
  uint64_t record = 0;  // 0: the newest save point
  std::string table{};  // of dump
  std::string work_directory = ".";
};

int ListSavePoints(const SavePointOptions& options);
int InspectSavePoint(const SavePointOptions& options);
// One line an entry: key, tab, values parted by spaces; by key.
int DumpSavePoint(const SavePointOptions& options);

}  // namespace primus::apps
