#include "apps/primus/job_table.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "apps/primus/progress.h"
#include "primus/api/conditions.h"
#include "primus/base/utc_text.h"

#include "proto/config/job.pb.h"
#include "proto/wire/node.pb.h"

namespace primus::apps {
namespace {

// A stored job, read; empty messages where it cannot be.
struct JobView {
  wire::StoredJob stored;
  wire::JobStatus status;
  config::Job job;
  std::string phase;
};

JobView ViewOf(const api::Object& object, const Surroundings& surroundings) {
  JobView view;
  const bool is_whole = view.stored.ParseFromString(object.spec) &&
                        view.status.ParseFromString(object.status) &&
                        view.job.ParseFromString(view.stored.job());
  view.phase = is_whole ? api::Phase(view.status) : "Unreadable";
  if (surroundings.running_job == object.name) return view;
  // The store shows what the last node wrote; if that one was killed, nothing runs.
  if (view.phase == "Running" || view.phase == "Restarting") view.phase = "Suspended";
  for (wire::RoleStatus& role : *view.status.mutable_roles()) role.set_ready(0);
  return view;
}

const char* KindOf(const config::Role& role) {
  if (role.has_ps()) return "ps";
  if (role.has_trainer()) return "trainer";
  if (role.has_executor()) return "executor";
  return "program";
}

// "2/3": ready of desired, over the roles of a kind; "-" if there are none.
std::string ReadyText(const JobView& view, const std::string& kind) {
  uint32_t desired = 0;
  uint32_t ready = 0;
  for (const config::Role& role : view.job.spec().roles()) {
    if (KindOf(role) != kind) continue;
    desired += role.replicas();
    for (const wire::RoleStatus& line : view.status.roles()) {
      if (line.name() == role.name()) ready += line.ready();
    }
  }
  if (desired == 0) return "-";
  return std::to_string(ready) + "/" + std::to_string(desired);
}

std::string AucText(const wire::JobStatus& status) {
  for (const char* key : {"progressiveAuc", "holdoutAuc", "auc"}) {
    const auto it = status.metrics().find(key);
    if (it == status.metrics().end()) continue;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4f", it->second);
    return text.data();
  }
  return "-";
}

std::string RestartsText(const wire::JobStatus& status) {
  uint32_t restarts = 0;
  for (const wire::RoleStatus& role : status.roles()) restarts += role.restarts();
  return std::to_string(restarts);
}

using Row = std::vector<std::string>;

// Columns as wide as their widest cell.
std::string TableText(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line += std::string(widths[i] - row[i].size() + 3, ' ');
    }
    text += line + "\n";
  }
  return text;
}

std::string ConditionsText(const wire::JobStatus& status) {
  std::vector<wire::Condition> sorted(status.conditions().begin(), status.conditions().end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.transition_nanos() < b.transition_nanos();
  });
  std::vector<Row> rows{{"  CONDITION", "STATUS", "SINCE", "REASON", "MESSAGE"}};
  for (const wire::Condition& condition : sorted) {
    rows.push_back({"  " + condition.type(), condition.status() ? "True" : "False",
                    UtcText(WallTime(Duration(condition.transition_nanos()))), condition.reason(),
                    condition.message()});
  }
  return TableText(rows);
}

std::string RolesText(const wire::JobStatus& status) {
  std::vector<Row> rows{{"  ROLE", "DESIRED", "READY", "SUCCEEDED", "FAILED", "RESTARTS"}};
  for (const wire::RoleStatus& role : status.roles()) {
    rows.push_back({"  " + role.name(), std::to_string(role.desired()),
                    std::to_string(role.ready()), std::to_string(role.succeeded()),
                    std::to_string(role.failed()), std::to_string(role.restarts())});
  }
  return TableText(rows);
}

std::string Joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string StreamsText(const wire::JobStatus& status) {
  std::string text;
  for (const wire::StreamStatus& stream : status.streams()) {
    std::vector<std::string> parts;
    if (!stream.phase().empty()) parts.push_back(stream.phase());
    if (!stream.window().empty()) parts.push_back("window " + stream.window());
    const std::map<std::string, uint64_t> rows(stream.rows().begin(), stream.rows().end());
    for (const auto& [kind, count] : rows) parts.push_back(kind + " " + std::to_string(count));
    text += "Stream " + stream.name() + ": " + Joined(parts) + "\n";
  }
  return text;
}

// One root cause, and what to do next.
std::string AdviceText(const std::string& name, const JobView& view, const WorkDirectory& work) {
  const std::string resume = work.Command("resume " + name);
  if (view.phase == "Failed") {
    return "Cause: " + api::FindCondition(view.status, api::kFailed)->message() +
           "\nNext: mend that, then " + resume + "\n";
  }
  if (view.phase == "Suspended") return "Next: " + resume + " goes on\n";
  return {};
}

}  // namespace

std::string AgeText(Duration age) {
  const int64_t seconds = std::max<int64_t>(ToMilliseconds(age) / 1000, 0);
  if (seconds < 120) return std::to_string(seconds) + "s";
  if (seconds < 120 * 60) return std::to_string(seconds / 60) + "m";
  if (seconds < 48 * 3600) return std::to_string(seconds / 3600) + "h";
  return std::to_string(seconds / 86400) + "d";
}

std::string JobTable(const std::vector<api::Object>& jobs, const Surroundings& surroundings) {
  std::vector<Row> rows{{"NAME", "PHASE", "PS", "TRAINERS", "EXECUTORS", "RESTARTS", "AUC", "AGE"}};
  for (const api::Object& object : jobs) {
    const JobView view = ViewOf(object, surroundings);
    rows.push_back({object.name, view.phase, ReadyText(view, "ps"), ReadyText(view, "trainer"),
                    ReadyText(view, "executor"), RestartsText(view.status), AucText(view.status),
                    AgeText(surroundings.now - object.created)});
  }
  return TableText(rows);
}

std::string JobPage(const api::Object& job, const Surroundings& surroundings) {
  const JobView view = ViewOf(job, surroundings);
  std::string text = "Job " + job.name + ": " + view.phase + "\n";
  text += "Created " + UtcText(job.created) + ", run " + std::to_string(view.status.runs()) +
          ", attempt " + std::to_string(view.status.attempt()) + ", generation " +
          std::to_string(job.generation) + "\n";
  text += "Storage " + view.stored.storage() + "\n";
  text += "Work directory " + view.stored.work_directory() + "\n";
  if (view.status.save_point().record() > 0) {
    text += "Save point " + std::to_string(view.status.save_point().record()) + " of " +
            UtcText(WallTime(Duration(view.status.save_point().wall_nanos()))) + "\n";
  }
  text += StreamsText(view.status);
  const std::vector<std::string> metrics = MetricTexts(view.status);
  if (!metrics.empty()) text += "Metrics: " + Joined(metrics) + "\n";
  text += "\n" + RolesText(view.status) + "\n" + ConditionsText(view.status);
  const std::string advice = AdviceText(job.name, view, surroundings.work);
  return advice.empty() ? text : text + "\n" + advice;
}

}  // namespace primus::apps
