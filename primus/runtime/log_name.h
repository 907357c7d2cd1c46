// What a container's log files are called.
#pragma once

#include <string>

#include "primus/runtime/runtime.h"

namespace primus::runtime {

// Without ".out" and ".err": replica and launch, "trainer-0.1.3" of "movielens/trainer-0/1.3".
inline std::string LogName(const ContainerId& id) {
  const std::size_t launch = id.rfind('/');
  if (launch == std::string::npos) return id;
  const std::size_t replica = launch == 0 ? std::string::npos : id.rfind('/', launch - 1);
  std::string name = id.substr(replica == std::string::npos ? 0 : replica + 1);
  name[name.rfind('/')] = '.';
  return name;
}

}  // namespace primus::runtime
