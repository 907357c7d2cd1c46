// A job's save points as text, for people and scripts: `primus savepoint list|inspect|dump`.
//
// Reads the blobs of a job that runs or does not; writes none. Blocks. `number` names a manifest's
// record; 0 is the newest. kNotFound says which save points there are.
#pragma once

#include <cstdint>
#include <ostream>
#include <string_view>

#include "primus/base/result.h"
#include "primus/store/blob_store.h"

namespace primus::savepoint {

// One line a save point: record, time, reason, cut, rows trained and evaluated, bytes. kNotFound if
// there is none.
Status WriteList(store::BlobStore& blobs, std::ostream& out);

// All that the manifest says, and the tables in its parts.
Status WriteDescription(store::BlobStore& blobs, uint64_t number, std::ostream& out);

// One line an entry of `table`, by key: the key, a tab, its values (the first-order weight last)
// parted by spaces, each in the fewest digits that are read back as the same number (%g). Holds
// one part in memory at a time. kNotFound names the tables that there are.
Status WriteTable(store::BlobStore& blobs, uint64_t number, std::string_view table,
                  std::ostream& out);

}  // namespace primus::savepoint
