// Every plug-in of this build, by slot: the only place that knows them all.
#pragma once

#include "primus/config/schema.h"
#include "primus/data/format.h"
#include "primus/data/operator.h"
#include "primus/data/source_store.h"
#include "primus/embedding/optimizer.h"
#include "primus/train/initializer.h"
#include "primus/train/loss.h"
#include "primus/train/network.h"

namespace primus::apps {

struct Plugins {
  data::SourceSlot sources{"sources"};
  data::FormatSlot formats{"formats"};
  data::OperatorSlot operators{"operators"};
  train::NetworkSlot networks{"networks"};
  train::LossSlot losses{"losses"};
  train::InitializerSlot initializers{"initializers"};
  embedding::OptimizerSlot table_optimizers{"tableOptimizers"};
  embedding::OptimizerSlot dense_optimizers{"denseOptimizers"};

  // What the walker of job files sees; refers to this.
  config::Slots Slots() const {
    return config::Slots({&sources, &formats, &operators, &networks, &losses, &initializers,
                          &table_optimizers, &dense_optimizers});
  }
};

Plugins MakePlugins();

}  // namespace primus::apps
