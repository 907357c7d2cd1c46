#include "primus/config/sample_slots.h"

#include <utility>

#include "primus/config/sample_plugins.pb.h"

namespace primus::config {

SampleSlots::SampleSlots() {
  SampleSlot& sources = AddSlot("sources");
  sources.Add("files", sample::Files::descriptor(), 0);
  sources.Add("queue", sample::Queue::descriptor(), 0);
  SampleSlot& formats = AddSlot("formats");
  formats.Add("parquet", sample::Parquet::descriptor(), 0);
  formats.Add("csv", sample::Csv::descriptor(), 0);
  SampleSlot& operators = AddSlot("operators");
  operators.Add("compare", sample::Compare::descriptor(), 0);
  operators.Add("timePart", sample::TimePart::descriptor(), 0);
  SampleSlot& networks = AddSlot("networks");
  networks.Add("deepFm", sample::DeepFm::descriptor(), 0);
  networks.Add("matrixFactorization", sample::MatrixFactorization::descriptor(), 0);
  AddSlot("initializers").Add("normal", sample::Normal::descriptor(), 0);
  AddSlot("losses").Add("bce", sample::Bce::descriptor(), 0);
  AddSlot("tableOptimizers").Add("adagrad", sample::Adagrad::descriptor(), 0);
  AddSlot("denseOptimizers").Add("adam", sample::Adam::descriptor(), 0);

  std::vector<const SlotKeys*> all;
  for (const auto& slot : owned_) all.push_back(slot.get());
  slots_ = Slots(std::move(all));
}

SampleSlots::SampleSlot& SampleSlots::AddSlot(std::string name) {
  owned_.push_back(std::make_unique<SampleSlot>(std::move(name)));
  return *owned_.back();
}

}  // namespace primus::config
