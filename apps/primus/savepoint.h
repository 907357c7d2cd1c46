// The functions behind `primus savepoint list|inspect|dump PATH`. PATH is a job's storage, or one
// record in it (storage/records/000000000012) to name a save point other than the newest.
#pragma once

#include <ostream>
#include <string>

#include "primus/base/status.h"

namespace primus::apps {

Status ListSavePoints(const std::string& path, std::ostream& out);
Status InspectSavePoint(const std::string& path, std::ostream& out);
// One line an entry: key, tab, values parted by spaces; by key.
Status DumpTable(const std::string& path, const std::string& table, std::ostream& out);

}  // namespace primus::apps
