// The slots of a job file filled with plug-ins of tests (sample_plugins.proto): what an application
// does with the real ones. Tests only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "primus/config/schema.h"
#include "primus/config/slot.h"

namespace primus::config {

class SampleSlots {
 public:
  SampleSlots();
  const Slots& slots() const { return slots_; }

 private:
  // A slot needs a factory; these plug-ins make nothing.
  using SampleSlot = Slot<int>;
  SampleSlot& AddSlot(std::string name);

  std::vector<std::unique_ptr<SampleSlot>> owned_;
  Slots slots_;
};

}  // namespace primus::config
