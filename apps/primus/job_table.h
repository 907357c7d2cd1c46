// Jobs as text: the table of `get jobs` and the page of `describe`. Pure.
#pragma once

#include <string>
#include <vector>

#include "apps/primus/work_directory.h"
#include "primus/api/object_store.h"

namespace primus::apps {

// What is around the objects.
struct Surroundings {
  WallTime now{};
  std::string running_job{};  // of the node that lives in this work directory, if any
  WorkDirectory work{};
};

std::string JobTable(const std::vector<api::Object>& jobs, const Surroundings& surroundings);
std::string JobPage(const api::Object& job, const Surroundings& surroundings);

// "12s", "5m", "3h", "2d"
std::string AgeText(Duration age);

}  // namespace primus::apps
