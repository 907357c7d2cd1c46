// The registries that reading data needs. apps/primus/plugins.cc fills them, one line a plug-in.
#pragma once

#include "primus/data/format.h"
#include "primus/data/operator.h"
#include "primus/data/source_store.h"

namespace primus::data {

struct DataSlots {
  SourceSlot sources{"sources"};
  FormatSlot formats{"formats"};
  OperatorSlot operators{"operators"};
};

}  // namespace primus::data
