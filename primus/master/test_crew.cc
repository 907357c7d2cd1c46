#include "primus/master/test_crew.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "primus/savepoint/record.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/record.pb.h"
#include "proto/wire/task.pb.h"

namespace primus::master {
namespace {

constexpr int kRoundsMax = 100;
constexpr uint64_t kTaskRows = 10;

Result<std::string> AddUp(const std::vector<std::string>& states) {
  uint64_t sum = 0;
  for (const std::string& state : states) sum += state.empty() ? 0 : std::stoull(state);
  return std::to_string(sum);
}

ReplicaId Parse(const std::string& name) {
  const std::size_t dash = name.find('-');
  return {name.substr(0, dash), static_cast<uint32_t>(std::stoul(name.substr(dash + 1)))};
}

}  // namespace

CoreOptions TestJob() {
  CoreOptions options;
  options.job = "job";
  options.attempt = 1;
  options.ps = 2;
  options.trainers = 2;
  options.roles = {"ps", "trainer", "executor"};
  options.phases = {{.scope = {}, .windows = {"mon", "tue"}}};
  options.merge_metrics = AddUp;
  return options;
}

std::vector<data::TaskPlan> TasksOf(const std::string& window) {
  const data::TaskPlan task{
      .id = 0, .stream = "s", .window = window, .rows = kTaskRows, .splits = {}};
  return {task, task};
}

TestCrew::TestCrew(CoreOptions job, const std::set<std::string>& absent)
    : options(std::move(job)), core(std::make_unique<Core>(options)) {
  for (const std::string role : {"ps", "trainer", "executor"}) {
    for (const std::string index : {"-0", "-1"}) {
      if (!absent.contains(role + index)) Start(role + index);
    }
  }
}

TestCrew::~TestCrew() = default;

TestReplica& TestCrew::operator[](const std::string& name) { return *replicas_.at(name); }

void TestCrew::Start(const std::string& name) {
  const std::string container = "job/" + name + "/1." + std::to_string(++launches_[name]);
  replicas_[name] = std::make_unique<TestReplica>(Parse(name), container);
  containers_[name] = {.replica = Parse(name), .id = container, .running = true, .reason = {}};
}

void TestCrew::Launch(const std::string& name) {
  Start(name);
  ShowContainers();
}

void TestCrew::Kill(const std::string& name) {
  replicas_.erase(name);
  containers_[name].running = false;
  containers_[name].reason = "killed";
  ShowContainers();
}

void TestCrew::RestartMaster() {
  ++options.attempt;
  core = std::make_unique<Core>(options);
  waiting_put.reset();
  outcome.reset();
  notes.clear();
  ShowContainers();
}

void TestCrew::ShowContainers() {
  if (core == nullptr) return;
  std::vector<RunningContainer> containers;
  for (const auto& [name, container] : containers_) containers.push_back(container);
  core->OnContainers(containers, now);
  Carry();
}

void TestCrew::RunAll() {
  ShowContainers();
  for (int round = 0; round < kRoundsMax; ++round) {
    const std::string before = Fingerprint();
    Carry();
    Plan();
    for (const auto& [name, replica] : replicas_) {
      if (!replica->will.report) continue;
      replica->Act();
      const Status heard = Report(*replica);
      EXPECT_TRUE(heard.ok() || outcome) << name << ": " << heard.ToString();
    }
    if (Fingerprint() == before) return;
  }
  ADD_FAILURE() << "it does not come to rest";
}

// All that somebody could see.
std::string TestCrew::Fingerprint() const {
  std::string text = core->progress().mode + std::to_string(core->progress().view) + "/" +
                     std::to_string(records.size()) + "/" + std::to_string(notes.size()) + "/" +
                     std::to_string(puts);
  for (const auto& [name, replica] : replicas_) {
    text += name + replica->StatusNow().SerializeAsString();
  }
  return text;
}

void TestCrew::Pass(Duration time) {
  const Instant end = now + time;
  while (now < end) {
    now = std::min(now + options.heartbeat, end);
    core->OnTick({.monotonic = now, .wall = WallTime(now.time_since_epoch())});
    RunAll();
  }
}

Status TestCrew::Report(TestReplica& replica) {
  const wire::ReplicaStatus status = replica.StatusNow();
  PRIMUS_TRY(Deliver(status));
  PRIMUS_ASSIGN(const Incarnation incarnation, core->IncarnationOf(status));
  replica.Adopt(core->DirectiveOf(incarnation));
  return OkStatus();
}

Status TestCrew::Deliver(const wire::ReplicaStatus& status) {
  const Status heard = core->OnReport(status, now);
  Carry();
  return heard;
}

void TestCrew::Carry() {
  const Effects effects = core->TakeEffects();
  notes.insert(notes.end(), effects.notes.begin(), effects.notes.end());
  for (const member::Loss& loss : effects.lose) lost.push_back(loss.seat.container);
  if (effects.outcome) outcome = effects.outcome;
  if (effects.collect_garbage) core->Forget(core->history().Superseded());
  if (effects.read_history) {
    std::vector<wire::Record> history;
    for (const auto& [number, bytes] : records) history.push_back(RecordOf(number));
    core->OnHistory(history, now);
    Carry();
  }
  if (effects.put) CarryPut(*effects.put);
}

void TestCrew::CarryPut(const RecordPut& put) {
  ++puts;
  EXPECT_FALSE(waiting_put) << "one put at a time";
  waiting_put = put;
  if (storage == Storage::kWaits) return;
  const bool taken = records.contains(put.number);
  AnswerPut(storage == Storage::kFails ? PutResult::kFailed
            : taken                    ? PutResult::kTaken
                                       : PutResult::kPut);
}

void TestCrew::AnswerPut(PutResult result) {
  const RecordPut put = *std::exchange(waiting_put, std::nullopt);
  if (result == PutResult::kPut) records[put.number] = put.bytes;
  wire::Record taken;
  if (result == PutResult::kTaken) taken = RecordOf(put.number);
  core->OnPut(result, &taken, now);
  Carry();
}

void TestCrew::Write(const wire::Record& record) {
  records[record.number()] = savepoint::EncodeRecord(record);
}

wire::Record TestCrew::RecordOf(uint64_t number) const {
  wire::Record record;
  EXPECT_TRUE(savepoint::DecodeRecord(records.at(number), &record).ok());
  return record;
}

wire::Record TestCrew::WaitingRecord() const {
  wire::Record record;
  EXPECT_TRUE(waiting_put && savepoint::DecodeRecord(waiting_put->bytes, &record).ok());
  return record;
}

void TestCrew::Plan() {
  while (planning) {
    const std::optional<std::string> window = core->NextWindow(64);
    if (!window) return;
    core->OnPlanned(*window, TasksOf(*window), now);
    Carry();
  }
}

Status TestCrew::AskLease(const std::string& executor, uint64_t request,
                          wire::LeaseResponse* response) {
  const TestReplica& asking = (*this)[executor];
  wire::LeaseRequest message;
  message.set_incarnation(asking.incarnation());
  *message.mutable_stamp() = asking.directive().stamp();
  message.set_request(request);
  message.set_tasks_max(1);
  const Status answered = core->OnLease(message, now, response);
  Carry();
  return answered;
}

std::optional<TaskId> TestCrew::Lease(const std::string& executor) {
  wire::LeaseResponse response;
  const Status answered = AskLease(executor, next_request_++, &response);
  if (!answered.ok() || response.tasks_size() == 0) return std::nullopt;
  return response.tasks(0).task().id();
}

bool TestCrew::Work(const std::string& executor, const std::string& trainer) {
  wire::LeaseResponse response;
  const Status answered = AskLease(executor, next_request_++, &response);
  if (!answered.ok() || response.tasks_size() == 0) return false;
  const wire::LeasedTask& task = response.tasks(0);
  uint64_t at = 0;
  for (int i = 0; i < task.done().bounds_size(); i += 2) {
    if (at < task.done().bounds(i)) {
      (*this)[trainer].Train(task.task().id(), at, task.done().bounds(i));
    }
    at = task.done().bounds(i + 1);
  }
  if (at < task.task().rows()) (*this)[trainer].Train(task.task().id(), at, task.task().rows());
  RunAll();
  return true;
}

void TestCrew::WorkAll() {
  while (Work()) {
  }
}

bool TestCrew::Noted(const std::string& part) const {
  return std::any_of(notes.begin(), notes.end(), [&part](const std::string& note) {
    return note.find(part) != std::string::npos;
  });
}

bool TestCrew::AllAre(int mode) const {
  return std::all_of(replicas_.begin(), replicas_.end(),
                     [mode](const auto& entry) { return entry.second->mode() == mode; });
}

}  // namespace primus::master
