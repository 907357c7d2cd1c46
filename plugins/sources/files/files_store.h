// Local files in one folder a window.
//
// A folder is ready when its marker is there (looked for before the listing, so that a ready
// listing is whole). Names that start with _ or . are not data; a folder inside a window's folder
// is an error, since ignoring it would lose rows.
#pragma once

#include <memory>
#include <string_view>

#include "primus/data/source_store.h"

namespace primus::sources {

Result<std::unique_ptr<data::SourceStore>> MakeFilesStore(std::string_view options,
                                                          const data::SourceContext& context);

// The line for apps/primus/plugins.cc: `files`.
void AddFiles(data::SourceSlot& slot);

}  // namespace primus::sources
