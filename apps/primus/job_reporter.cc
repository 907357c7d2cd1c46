#include "apps/primus/job_reporter.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "primus/savepoint/record.h"
#include "primus/train/metrics.h"
#include <nlohmann/json.hpp>

#include "proto/wire/control.pb.h"
#include "proto/wire/node.pb.h"
#include "proto/wire/record.pb.h"

namespace primus::apps {
namespace {

using Json = nlohmann::ordered_json;
using batch::Purpose;
using train::Predictor;

// Rows that became part of the model or its evaluation.
uint64_t RowsDone(const data::RowCounts& counts) {
  return counts.of(batch::RowKind::kTrained) + counts.of(batch::RowKind::kEvaluated);
}

const train::PhaseMetrics* FindPhase(const train::MetricState& state, Purpose purpose) {
  for (const auto& [ordinal, phase] : state.phases()) {
    if (phase.purpose == purpose) return &phase;
  }
  return nullptr;
}

const train::ExactScores* FindScores(const train::MetricState& state, Purpose purpose,
                                     Predictor predictor) {
  const train::PhaseMetrics* phase = FindPhase(state, purpose);
  if (phase == nullptr) return nullptr;
  const auto it = phase->exact.find(predictor);
  return it == phase->exact.end() ? nullptr : &it->second;
}

Json Number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json Quality(const train::MetricState& state, Purpose purpose) {
  const train::ExactScores* scores = FindScores(state, purpose, Predictor::kModel);
  if (scores == nullptr) return nullptr;
  return {{"auc", Number(scores->Auc())}, {"logloss", Number(scores->LogLoss())}};
}

Json Baseline(const train::MetricState& state, Predictor predictor) {
  const auto auc = [&](Purpose purpose) -> Json {
    const train::ExactScores* scores = FindScores(state, purpose, predictor);
    return scores == nullptr ? Json(nullptr) : Number(scores->Auc());
  };
  return {{"holdout", auc(Purpose::kHoldout)}, {"progressive", auc(Purpose::kProgressive)}};
}

train::MetricState SavedMetrics(const master::Core& core) {
  Result<train::MetricState> state = train::MetricState::Parse(core.metrics());
  return state.ok() ? *std::move(state) : train::MetricState();
}

Json Rows(const data::RowCounts& counts) {
  Json rows = {{"read", counts.read}};
  for (std::size_t kind = 0; kind < batch::kRowKinds; ++kind) {
    const auto row_kind = static_cast<batch::RowKind>(kind);
    if (row_kind == batch::RowKind::kExcluded) continue;
    rows[std::string(batch::RowKindName(row_kind))] = counts.kinds[kind];
  }
  rows["generated"] = 0;
  return rows;
}

// "pass 2/3", "hold-out", "progressive"; empty after the last phase.
std::string PhaseText(const std::vector<master::Phase>& phases, uint32_t ordinal) {
  if (ordinal >= phases.size()) return {};
  const Purpose purpose = phases[ordinal].scope.purpose;
  if (purpose == Purpose::kHoldout) return "hold-out";
  if (purpose == Purpose::kProgressive) return "progressive";
  const auto passes = std::count_if(phases.begin(), phases.end(), [](const master::Phase& phase) {
    return phase.scope.purpose == Purpose::kTrain;
  });
  return "pass " + std::to_string(phases[ordinal].scope.pass + 1) + "/" + std::to_string(passes);
}

void SetMetric(wire::JobStatus* status, const std::string& name,
               const std::optional<double>& value) {
  if (value) (*status->mutable_metrics())[name] = *value;
}

}  // namespace

void JobReporter::Describe(const master::Core& core, wire::JobStatus* status) {
  const master::Progress progress = core.progress();
  status->clear_streams();
  wire::StreamStatus* stream = status->add_streams();
  stream->set_name(job_.stream);
  stream->set_window(progress.window);
  stream->set_phase(PhaseText(core.phases(), progress.phase));
  (*stream->mutable_rows())["read"] = progress.counts.read;
  (*stream->mutable_rows())["inFlight"] = progress.counts.in_flight;
  for (std::size_t kind = 0; kind < batch::kRowKinds; ++kind) {
    const std::string name(batch::RowKindName(static_cast<batch::RowKind>(kind)));
    (*stream->mutable_rows())[name] = progress.counts.kinds[kind];
  }
  if (const wire::Manifest* manifest = core.history().manifest(); manifest != nullptr) {
    status->mutable_save_point()->set_record(core.history().save_point());
    status->mutable_save_point()->set_cut(manifest->cut());
    status->mutable_save_point()->set_wall_nanos(manifest->wall_nanos());
    const auto& kinds = manifest->position().counts().kinds();
    const auto trained = static_cast<int>(batch::RowKind::kTrained);
    status->mutable_save_point()->set_trained(trained < kinds.size() ? kinds[trained] : 0);
  }
  DescribeMetrics(core, status);
  status->set_summary_json(Summary(core));
}

void JobReporter::Observe(const master::Core& core) {
  const master::Progress progress = core.progress();
  const Instant now = clock_.Get().monotonic;
  const uint64_t done = RowsDone(progress.counts);
  const auto [it, is_new] = phases_.try_emplace(progress.phase);
  PhaseClock& phase = it->second;
  if (is_new) phase = {.begin = now, .end = now, .rows_before = done};
  // A phase's clock runs until its last row, not through its save point; a rollback keeps the time
  // and takes the rows back.
  if (done != phase.rows_before + phase.rows) phase.end = now;
  phase.rows = done >= phase.rows_before ? done - phase.rows_before : 0;
}

double JobReporter::TrainingRate(const master::Core& core) const {
  double seconds = 0;
  uint64_t rows = 0;
  for (const auto& [ordinal, phase] : phases_) {
    const bool trains =
        ordinal < core.phases().size() && core.phases()[ordinal].scope.purpose == Purpose::kTrain;
    if (!trains) continue;
    seconds += ToSeconds(phase.end - phase.begin);
    rows += phase.rows;
  }
  return seconds > 0 ? static_cast<double>(rows) / seconds : 0;
}

void JobReporter::DescribeMetrics(const master::Core& core, wire::JobStatus* status) const {
  double loss_sum = 0;
  uint64_t loss_rows = 0;
  uint64_t entries = 0;
  uint64_t bytes = 0;
  std::map<std::string, double> seconds;  // of the trainers' time, by what it goes into
  for (const master::Member& m : core.rollcall().Members()) {
    if (m.status == nullptr) continue;
    bytes += m.status->ps().bytes();
    for (const auto& [table, count] : m.status->ps().entries()) entries += count;
    if (!m.status->has_trainer()) continue;
    const wire::TrainerProgress& progress = m.status->trainer().progress();
    loss_sum += progress.loss_sum();
    loss_rows += progress.loss_rows();
    seconds["trainerWaitSeconds"] += progress.wait_seconds();
    seconds["trainerPullSeconds"] += progress.pull_seconds();
    seconds["trainerComputeSeconds"] += progress.compute_seconds();
    seconds["trainerPushSeconds"] += progress.push_seconds();
  }
  for (const auto& [name, spent] : seconds) SetMetric(status, name, spent);
  if (loss_rows > 0) SetMetric(status, "loss", loss_sum / static_cast<double>(loss_rows));
  SetMetric(status, "entries", static_cast<double>(entries));
  SetMetric(status, "parameterBytes", static_cast<double>(bytes));
  // The rate is of this life of the job: none if it has trained nothing.
  const double rate = TrainingRate(core);
  status->mutable_metrics()->erase("rowsPerSecond");
  if (rate > 0) SetMetric(status, "rowsPerSecond", rate);
  const train::MetricState state = SavedMetrics(core);
  if (const train::PhaseMetrics* training = FindPhase(state, Purpose::kTrain);
      training != nullptr) {
    SetMetric(status, "auc", training->live.Auc());
  }
  const auto auc = [&](const char* name, Purpose purpose) {
    const train::ExactScores* scores = FindScores(state, purpose, Predictor::kModel);
    if (scores != nullptr) SetMetric(status, name, scores->Auc());
  };
  auc("holdoutAuc", Purpose::kHoldout);
  auc("progressiveAuc", Purpose::kProgressive);
}

std::string JobReporter::Summary(const master::Core& core) const {
  const train::MetricState state = SavedMetrics(core);
  Json summary;
  summary["rows"] = Rows(core.progress().counts);
  summary["metrics"] = {{"holdout", Quality(state, Purpose::kHoldout)},
                        {"progressive", Quality(state, Purpose::kProgressive)},
                        {"baselines",
                         {{"constant", Baseline(state, Predictor::kConstant)},
                          {"itemMean", Baseline(state, Predictor::kItemMean)},
                          {"counts", Baseline(state, Predictor::kCounts)}}}};
  const double rate = TrainingRate(core);
  summary["samplesPerSecond"] = rate > 0 ? Json(rate) : Json(nullptr);
  const uint64_t record = core.history().save_point();
  if (record > 0) {
    summary["savePoint"] = record;
    summary["checkpoint"] = job_.storage + "/" + savepoint::RecordName(record);
  }
  return summary.dump();
}

}  // namespace primus::apps
