#include "primus/master/master.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "primus/api/conditions.h"
#include "primus/base/utc_text.h"
#include "primus/master/node_link.h"
#include "primus/master/window_reader.h"
#include "primus/member/methods.h"
#include "primus/rpc/client.h"
#include "primus/rpc/server.h"
#include "primus/savepoint/record_log.h"
#include "primus/telemetry/logger.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/node.pb.h"
#include "proto/wire/record.pb.h"

namespace primus::master {
namespace {

constexpr Duration kTick = Milliseconds(50);
constexpr Duration kPlanRetry = Seconds(1);
constexpr Duration kStatusPeriod = Seconds(1);
constexpr Duration kLeaveWait = Seconds(2);
constexpr Duration kShownWaitMax = Seconds(3'000'000'000);  // a century: no instant overflows
constexpr uint64_t kFreeTasksMax = 64;
constexpr int kSuperseded = 3;

// A window that is waited for.
struct Wait {
  Instant since{};
  WallTime until{};
  std::string text{};  // for people
};

using Records = std::vector<wire::Record>;

// As ready.onTimeout is written.
std::string_view NameOf(data::Unready unready) {
  switch (unready) {
    case data::Unready::kSkip:
      return "Skip";
    case data::Unready::kUse:
      return "UsePartial";
    default:
      return "Fail";
  }
}

api::ConditionChange ConditionOf(const Outcome& outcome) {
  switch (outcome.ending) {
    case Ending::kCompleted:
      return {api::kCompleted, api::Truth::kTrue, "DataExhausted", "all phases are done and saved"};
    case Ending::kSuspended:
      return {api::kSuspended, api::Truth::kTrue, "Stopped",
              "stopped with a save point; `primus resume` goes on from it"};
    default:
      return {api::kFailed, api::Truth::kTrue, std::string(StatusCodeName(outcome.error.code())),
              outcome.error.message()};
  }
}

}  // namespace

struct Master::State {
  State(const MasterWorld& master_world, MasterOptions master_options)
      : world(master_world),
        options(std::move(master_options)),
        link(world.environment, world.network, world.log, options.core.job, options.node),
        server(world.network),
        log(world.blobs),
        reader(world.blobs, world.planner, options.task_rows_max),
        tick(world.environment.loop),
        plan_retry(world.environment.loop),
        leave(world.environment.loop) {}

  Instant now() const { return world.environment.loop.Get().monotonic; }
  void OnAttempt(uint64_t attempt);
  void Serve();
  void Tick();
  // Carries out what the core ordered.
  void Carry();
  void SendSteer(const Steer& steer);
  void LoadHistory();
  void PutRecord(const RecordPut& put);
  void CollectGarbage();
  void PlanNext();
  void OnPlan(const std::string& window, const Result<WindowTasks>& plan);
  void Await(const std::string& window, const std::string& marker);
  void Describe(wire::JobStatus* status) const;
  void Conclude(const Outcome& outcome);
  void WriteOutcome(const Outcome& outcome);
  void WriteProgress();
  void End(int exit_code);

  MasterWorld world;
  MasterOptions options;
  NodeLink link;
  rpc::Server server;
  savepoint::RecordLog log;
  WindowReader reader;
  std::unique_ptr<Core> core;
  std::map<rpc::Address, std::unique_ptr<rpc::Client>> clients;
  env::Timer tick;
  env::Timer plan_retry;
  env::Timer leave;
  std::optional<Wait> wait;
  uint32_t plan_failures = 0;  // one after the other
  Instant last_status{};
  bool planning = false;
  bool writing_status = false;
  bool cleaning = false;
  bool concluded = false;
  std::optional<int> leaving;  // once all may leave: the exit code
  bool ended = false;
};

Master::Master(const MasterWorld& world, MasterOptions options)
    : state_(std::make_unique<State>(world, std::move(options))) {}

Master::~Master() = default;

void Master::Start() {
  state_->link.TakeAttempt([state = state_.get()](uint64_t attempt) { state->OnAttempt(attempt); });
}

void Master::State::OnAttempt(uint64_t attempt) {
  world.log.Info("attempt taken", {{"job", options.core.job}, {"attempt", attempt}});
  options.core.attempt = attempt;
  core = std::make_unique<Core>(options.core);
  Serve();
  const Status listening = server.Listen(options.address);
  if (!listening.ok()) {
    world.log.Error("cannot listen", {{"address", options.address}, {"error", listening}});
    return End(1);
  }
  link.Observe({.on_containers =
                    [this](const std::vector<RunningContainer>& containers) {
                      core->OnContainers(containers, now());
                      Carry();
                    },
                .on_stop =
                    [this] {
                      core->OnStop(now());
                      Carry();
                    },
                .on_superseded =
                    [this](const Status& status) {
                      world.log.Warn("superseded", {{"reason", status}});
                      End(kSuperseded);
                    }});
  Tick();
}

void Master::State::Serve() {
  server.Handle(member::kReport, [this](const wire::ReportRequest& request, std::string,
                                        const rpc::Reply<wire::ReportResponse>& reply) {
    const Status heard = core->OnReport(request.status(), now());
    wire::ReportResponse response;
    if (heard.ok()) {
      const Result<Incarnation> incarnation = core->IncarnationOf(request.status());
      if (!incarnation.ok()) {
        reply(incarnation.status());
        return Carry();
      }
      *response.mutable_directive() = core->DirectiveOf(*incarnation);
      reply(response);
    } else {
      reply(heard);
    }
    Carry();
  });
  server.Handle(member::kLease, [this](const wire::LeaseRequest& request, std::string,
                                       const rpc::Reply<wire::LeaseResponse>& reply) {
    wire::LeaseResponse response;
    const Status leased = core->OnLease(request, now(), &response);
    leased.ok() ? reply(response) : reply(leased);
    Carry();
  });
}

void Master::State::Tick() {
  core->OnTick(world.environment.loop.Get());
  Carry();
  if (!ended) tick.Set(kTick, [this] { Tick(); });
}

void Master::State::Carry() {
  if (ended) return;
  const Effects effects = core->TakeEffects();
  for (const std::string& note : effects.notes) world.log.Info("master", {{"note", note}});
  for (const Steer& steer : effects.steers) SendSteer(steer);
  for (const member::Loss& loss : effects.lose) link.Lose(loss);
  if (effects.read_history) LoadHistory();
  if (effects.put) PutRecord(*effects.put);
  if (effects.collect_garbage) CollectGarbage();
  if (effects.outcome) Conclude(*effects.outcome);
  PlanNext();
  if (options.observe) options.observe(*core);
  WriteProgress();
  if (leaving && core->rollcall().Members().empty()) End(*leaving);
}

void Master::State::SendSteer(const Steer& steer) {
  std::unique_ptr<rpc::Client>& client = clients[steer.address];
  if (client == nullptr) {
    client = std::make_unique<rpc::Client>(world.environment, world.network, steer.address);
  }
  wire::SteerRequest request;
  *request.mutable_directive() = core->DirectiveOf(steer.incarnation);
  client->Call<wire::SteerRequest, wire::SteerResponse>(
      member::kSteer, request, {}, {},
      [this](const Result<rpc::Answer<wire::SteerResponse>>& answer) {
        // An unanswered directive goes out again with the answer to the next report.
        if (!answer.ok() || ended) return;
        const Status heard = core->OnReport(answer->message.status(), now());
        if (!heard.ok()) world.log.Info("answer of a lost replica", {{"status", heard}});
        Carry();
      });
}

void Master::State::LoadHistory() {
  auto loaded = std::make_shared<Result<Records>>(Records{});
  world.environment.pool.Run([this, loaded] { *loaded = log.Load(); },
                             [this, loaded] {
                               if (loaded->ok()) {
                                 core->OnHistory(**loaded, now());
                               } else {
                                 core->OnFailure(loaded->status(), now());
                               }
                               Carry();
                             });
}

void Master::State::PutRecord(const RecordPut& put) {
  using Put = savepoint::RecordLog::Outcome;
  auto taken = std::make_shared<wire::Record>();
  auto outcome = std::make_shared<Result<Put>>(Put::kPut);
  world.environment.pool.Run(
      [this, put, taken, outcome] { *outcome = log.Put(put.number, put.bytes, taken.get()); },
      [this, taken, outcome] {
        if (!outcome->ok()) {
          world.log.Warn("cannot put a record", {{"error", outcome->status()}});
          core->OnPut(PutResult::kFailed, nullptr, now());
        } else if (**outcome == Put::kTaken) {
          core->OnPut(PutResult::kTaken, taken.get(), now());
        } else {
          core->OnPut(PutResult::kPut, nullptr, now());
        }
        Carry();
      });
}

void Master::State::CollectGarbage() {
  if (cleaning) return;
  cleaning = true;
  // A copy of what is kept, for the pool: the history goes on changing on the loop.
  const std::vector<uint64_t> numbers = core->history().Superseded();
  core->Forget(numbers);
  auto keep = std::make_shared<const savepoint::History>(core->history());
  auto cleaned = std::make_shared<Status>();
  world.environment.pool.Run(
      [this, numbers, keep, cleaned] {
        *cleaned = log.Clean(numbers,
                             [&keep](std::string_view name) { return keep->PartIsGarbage(name); });
      },
      [this, cleaned] {
        cleaning = false;
        // What stays is found again after the next save point.
        if (!cleaned->ok()) world.log.Warn("cannot clean up", {{"error", *cleaned}});
      });
}

void Master::State::PlanNext() {
  if (planning || plan_retry.pending() || ended) return;
  const std::optional<std::string> window = core->NextWindow(kFreeTasksMax);
  if (!window) return;
  planning = true;
  const bool waited = wait && now() - wait->since >= options.ready_timeout;
  const data::Unready unready = waited ? options.on_timeout : data::Unready::kWait;
  auto plan = std::make_shared<Result<WindowTasks>>(WindowTasks{});
  world.environment.pool.Run([this, plan, window = *window,
                              unready] { *plan = reader.Read(options.stream, window, unready); },
                             [this, plan, window = *window] {
                               planning = false;
                               OnPlan(window, *plan);
                               Carry();
                             });
}

void Master::State::OnPlan(const std::string& window, const Result<WindowTasks>& plan) {
  if (!plan.ok()) {
    const Status error =
        plan.status().WithContext("planning stream " + options.stream + ", window", window);
    const bool last = ++plan_failures >= options.core.storage_failures_max;
    if (last || !IsTransient(error.code())) return core->OnFailure(error, now());
    world.log.Warn("cannot plan a window, trying again", {{"error", error}});
    return plan_retry.Set(kPlanRetry, [this] { PlanNext(); });
  }
  plan_failures = 0;
  if (!plan->awaits.empty()) return Await(window, plan->awaits);
  wait.reset();
  core->OnPlanned(window, plan->tasks, now());
}

void Master::State::Await(const std::string& window, const std::string& marker) {
  const bool begins = !wait;
  if (begins) {
    const Now begin = world.environment.loop.Get();
    wait = {.since = begin.monotonic,
            .until = begin.wall + std::min(options.ready_timeout, kShownWaitMax)};
  }
  wait->text = options.stream + " " + window + " waits for " + marker + " until " +
               UtcText(wait->until) + ", then " + std::string(NameOf(options.on_timeout)) +
               " (ready.timeout, ready.onTimeout)";
  if (begins) world.log.Info("a window is not ready", {{"wait", wait->text}});
  plan_retry.Set(kPlanRetry, [this] { PlanNext(); });
}

void Master::State::Conclude(const Outcome& outcome) {
  if (concluded) return;
  concluded = true;
  if (outcome.ending == Ending::kSuperseded) {
    world.log.Warn("superseded", {{"reason", outcome.error}});
    return End(kSuperseded);
  }
  if (!outcome.error.ok()) world.log.Error("the job failed", {{"error", outcome.error}});
  WriteOutcome(outcome);
}

void Master::State::WriteOutcome(const Outcome& outcome) {
  const int exit_code = outcome.ending == Ending::kFailed ? 1 : 0;
  link.UpdateStatus(
      [this, outcome](wire::JobStatus* status) {
        Describe(status);
        api::SetCondition(status, ConditionOf(outcome), world.environment.loop.Get().wall,
                          status->observed_generation());
      },
      [this, exit_code] {
        core->OnOutcomeWritten(now());
        leaving = exit_code;
        leave.Set(kLeaveWait, [this, exit_code] { End(exit_code); });
        Carry();
      });
}

void Master::State::Describe(wire::JobStatus* status) const {
  options.describe(*core, status);
  const bool stalled = wait && !concluded;
  // One that nobody ever saw need not be said to be over.
  if (!stalled && !api::IsTrue(*status, api::kStalled)) return;
  const std::string over = concluded ? "JobEnded" : "WindowReady";
  api::SetCondition(
      status,
      stalled ? api::ConditionChange{api::kStalled, api::Truth::kTrue, "WindowNotReady", wait->text}
              : api::ConditionChange{api::kStalled, api::Truth::kFalse, over},
      world.environment.loop.Get().wall, status->observed_generation());
}

void Master::State::WriteProgress() {
  if (writing_status || concluded || core == nullptr) return;
  if (now() - last_status < kStatusPeriod && last_status != Instant{}) return;
  writing_status = true;
  last_status = now();
  link.UpdateStatus([this](wire::JobStatus* status) { Describe(status); },
                    [this] { writing_status = false; });
}

void Master::State::End(int exit_code) {
  if (ended) return;
  ended = true;
  tick.Cancel();
  world.environment.loop.Post([this, exit_code] { options.on_end(exit_code); });
}

}  // namespace primus::master
