// What an oracle found wrong first. Oracles are told of what happens and judge at once; the run
// ends with the first violation.
#pragma once

#include <string>

#include "primus/base/status.h"

namespace primus::sim {

class Verdict {
 public:
  void Violated(const std::string& what) {
    if (status_.ok()) status_ = InternalError(what);
  }
  const Status& status() const { return status_; }

 private:
  Status status_;
};

}  // namespace primus::sim
