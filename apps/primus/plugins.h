// Every plug-in of this build, by slot: the only place that knows them all.
#pragma once

#include "primus/config/schema.h"
#include "primus/data/data_slots.h"
#include "primus/embedding/optimizer.h"
#include "primus/train/plan_model.h"

namespace primus::apps {

struct Plugins {
  data::DataSlots data;
  train::TrainSlots train;
  embedding::OptimizerSlot table_optimizers{"tableOptimizers"};
  embedding::OptimizerSlot dense_optimizers{"denseOptimizers"};

  // What the walker of job files sees; refers to this.
  config::Slots Slots() const {
    return config::Slots({&data.sources, &data.formats, &data.operators, &train.networks,
                          &train.losses, &train.initializers, &table_optimizers,
                          &dense_optimizers});
  }
};

Plugins MakePlugins();

}  // namespace primus::apps
