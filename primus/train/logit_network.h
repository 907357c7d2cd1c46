// A network that is a list of parts: the common shape of most plug-ins.
//
//   return std::make_unique<LogitNetwork>(NetworkNeeds{}, [](const InputShape& shape) {
//     return PartsOf(std::make_unique<LinearTerms>(shape), …);
//   });
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "primus/train/network.h"
#include "primus/train/part.h"

namespace primus::train {

using PartList = std::vector<std::unique_ptr<Part>>;

template <class... Parts>
PartList PartsOf(std::unique_ptr<Parts>... parts) {
  PartList list;
  (list.push_back(std::move(parts)), ...);
  return list;
}

enum class Dims {
  kAny,
  kEqual,  // all key features have tables of the same dim
};

class LogitNetwork final : public Network {
 public:
  using MakeParts = std::function<PartList(const InputShape&)>;
  LogitNetwork(NetworkNeeds needs, Dims dims, MakeParts make_parts)
      : needs_(std::move(needs)), dims_(dims), make_parts_(std::move(make_parts)) {}

  NetworkNeeds Needs() const override { return needs_; }
  Status Check(const jobspec::ModelPlan& plan) const override;
  std::vector<jobspec::DenseSegment> Segments(const jobspec::ModelPlan& plan) const override;
  std::unique_ptr<Model> BuildModel(const jobspec::ModelPlan& plan,
                                    std::unique_ptr<Loss> loss) const override;

 private:
  NetworkNeeds needs_;
  Dims dims_;
  MakeParts make_parts_;
};

}  // namespace primus::train
