#include "apps/primus/summary.h"

#include "primus/api/conditions.h"
#include <nlohmann/json.hpp>

#include "proto/wire/node.pb.h"

namespace primus::apps {
namespace {

using Json = nlohmann::ordered_json;

Json EmptySummary() {
  Json rows = Json::object();
  for (const char* kind : {"read", "trained", "evaluated", "filtered", "unmatched", "late",
                           "corrupt", "refused", "generated"}) {
    rows[kind] = 0;
  }
  return {{"job", nullptr},
          {"condition", nullptr},
          {"seconds", 0},
          {"rows", std::move(rows)},
          {"metrics",
           {{"holdout", nullptr},
            {"progressive", nullptr},
            {"baselines", {{"constant", nullptr}, {"itemMean", nullptr}, {"counts", nullptr}}}}},
          {"samplesPerSecond", nullptr},
          {"savePoint", nullptr},
          {"checkpoint", nullptr}};
}

// Puts `from` over `onto`, key by key; a null is a value like others.
void Overlay(const Json& from, Json* onto) {
  if (!from.is_object() || !onto->is_object()) {
    *onto = from;
    return;
  }
  for (const auto& [key, value] : from.items()) {
    if (onto->contains(key)) {
      Overlay(value, &(*onto)[key]);
    } else {
      (*onto)[key] = value;
    }
  }
}

}  // namespace

std::string SummaryLine(const std::string& job, const wire::JobStatus& status, double seconds) {
  Json line = EmptySummary();
  const Json summary = Json::parse(status.summary_json(), nullptr, /*allow_exceptions=*/false);
  if (summary.is_object()) Overlay(summary, &line);
  line["job"] = job;
  line["condition"] = api::Phase(status);
  line["seconds"] = seconds;
  return line.dump();
}

}  // namespace primus::apps
