// A network as a plug-in brings it: what it needs of the declared features, and its model over the
// resolved plan. The seam of plugins/networks.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "primus/base/result.h"
#include "primus/config/slot.h"
#include "primus/jobspec/model_plan.h"
#include "primus/train/loss.h"
#include "primus/train/model.h"

namespace primus::train {

enum class TableStart {
  kAsDeclared,  // the table's own `init`
  kZeros,
};

struct NetworkNeeds {
  std::vector<std::string> features;  // by name; empty: all that are declared
  bool label = true;
  bool first_order = true;  // a first-order weight in each table
  TableStart start = TableStart::kAsDeclared;
};

class Network {
 public:
  virtual ~Network() = default;
  virtual NetworkNeeds Needs() const = 0;
  // kInvalidArgument when it cannot work with these features and tables.
  virtual Status Check(const jobspec::ModelPlan& plan) const = 0;
  // Its stretches of the dense vector, in order. Only after Check.
  virtual std::vector<jobspec::DenseSegment> Segments(const jobspec::ModelPlan& plan) const = 0;
  // `plan` is complete. `loss` is null if the network needs no label.
  virtual std::unique_ptr<Model> BuildModel(const jobspec::ModelPlan& plan,
                                            std::unique_ptr<Loss> loss) const = 0;
};

// From the plug-in's own message, serialised.
using NetworkFactory = std::function<Result<std::unique_ptr<Network>>(std::string_view options)>;
using NetworkSlot = config::Slot<NetworkFactory>;  // "networks"

}  // namespace primus::train
