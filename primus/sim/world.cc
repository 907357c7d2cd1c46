#include "primus/sim/world.h"

#include <algorithm>
#include <utility>

#include "primus/base/check.h"

namespace primus::sim {
namespace {

// Wall time at virtual 0: 2026-01-01T00:00:00Z.
constexpr Duration kEpoch = Seconds(1767225600);

struct EventKey {
  Duration time;
  uint64_t sequence;
  auto operator<=>(const EventKey&) const = default;
};

struct Event {
  ProcessId process = 0;
  env::Task task;
};

class ProcessLoop final : public env::EventLoop {
 public:
  ProcessLoop(World& world, ProcessId process) : world_(world), process_(process) {}
  Now Get() const override { return {Instant(world_.now()), WallTime(kEpoch + world_.now())}; }
  void Post(env::Task task) override { world_.Schedule(process_, Duration(0), std::move(task)); }
  env::TimerId After(Duration delay, env::Task task) override {
    return world_.Schedule(process_, delay, std::move(task));
  }
  void Cancel(env::TimerId timer) override { world_.Cancel(timer); }

 private:
  World& world_;
  ProcessId process_;
};

// Work takes effect at some instant of its virtual time, so a kill before means that it never ran;
// its `done` follows at the end, so a kill in between means that nobody heard of it.
class ProcessPool final : public env::ThreadPool {
 public:
  ProcessPool(World& world, ProcessId process, uint64_t seed,
              const std::function<Duration()>& extra)
      : world_(world), process_(process), random_(seed), extra_(extra) {}
  void Run(env::Task work, env::Task done) override {
    const Duration busy_from = std::max(free_at_, world_.now());
    Duration length = Microseconds(10 + static_cast<int64_t>(random_.Below(300)));
    if (extra_) length += extra_();
    const Duration effect(
        static_cast<int64_t>(random_.Below(static_cast<uint64_t>(length.count()))));
    free_at_ = busy_from + length;
    world_.Schedule(process_, busy_from + effect - world_.now(),
                    [this, work = std::move(work), done = std::move(done), rest = length - effect] {
                      work();
                      world_.Schedule(process_, rest, done);
                    });
  }

 private:
  World& world_;
  ProcessId process_;
  SeededSequence random_;
  const std::function<Duration()>& extra_;
  Duration free_at_{0};
};

class ProcessRandom final : public env::Random {
 public:
  explicit ProcessRandom(uint64_t seed) : sequence_(seed) {}
  uint64_t Next() override { return sequence_.Next(); }

 private:
  SeededSequence sequence_;
};

struct Process {
  Process(World& world, ProcessId id, std::string process_name, uint64_t seed,
          const std::function<Duration()>& extra_work)
      : name(std::move(process_name)),
        loop(world, id),
        pool(world, id, Mix64(seed, 1), extra_work),
        random(Mix64(seed, 2)) {}
  std::string name;
  ProcessState state = ProcessState::kRunning;
  ProcessLoop loop;
  ProcessPool pool;
  ProcessRandom random;
  std::map<EventKey, Event> waiting;  // due while stopped; their timers can still be cancelled
};

}  // namespace

struct World::State {
  explicit State(uint64_t world_seed) : seed(world_seed), random(Mix64(world_seed, 0)) {}
  uint64_t seed;
  SeededSequence random;
  Duration now{0};
  uint64_t sequence = 0;
  uint64_t hash = 0;
  uint64_t events = 0;
  std::map<EventKey, Event> queue;
  std::map<env::TimerId, EventKey> timers;
  std::map<ProcessId, std::unique_ptr<Process>> processes;
  std::function<void(ProcessId)> on_death;
  std::function<Duration()> extra_work;
};

World::World(uint64_t seed) : state_(std::make_unique<State>(seed)) {
  state_->processes[0] = std::make_unique<Process>(*this, 0, "world", seed, state_->extra_work);
}

World::~World() {
  // What a dropped task owns may schedule while it goes.
  for (auto& [id, process] : state_->processes) process->state = ProcessState::kDead;
  for (auto& [id, process] : state_->processes) process->waiting.clear();
  while (!state_->queue.empty()) std::exchange(state_->queue, {});
}

ProcessId World::Spawn(std::string name) {
  const ProcessId id = state_->processes.size();
  state_->processes[id] = std::make_unique<Process>(*this, id, std::move(name),
                                                    Mix64(state_->seed, id), state_->extra_work);
  return id;
}

void World::Kill(ProcessId process) {
  Process& victim = *state_->processes.at(process);
  if (victim.state == ProcessState::kDead) return;
  victim.state = ProcessState::kDead;
  victim.waiting.clear();
  Schedule(0, Duration(0), [this, process] {
    if (state_->on_death) state_->on_death(process);
  });
}

void World::Stop(ProcessId process) {
  Process& victim = *state_->processes.at(process);
  if (victim.state == ProcessState::kRunning) victim.state = ProcessState::kStopped;
}

void World::Continue(ProcessId process) {
  Process& woken = *state_->processes.at(process);
  if (woken.state != ProcessState::kStopped) return;
  woken.state = ProcessState::kRunning;
  for (auto& [key, event] : std::exchange(woken.waiting, {})) {
    const auto timer = state_->timers.find(key.sequence);
    if (timer == state_->timers.end()) continue;
    timer->second.time = state_->now;
    state_->queue.emplace(timer->second, std::move(event));
  }
}

void World::ContinueAll() {
  for (const auto& [id, process] : state_->processes) Continue(id);
}

ProcessState World::StateOf(ProcessId process) const {
  return state_->processes.at(process)->state;
}

const std::string& World::NameOf(ProcessId process) const {
  return state_->processes.at(process)->name;
}

void World::OnDeath(std::function<void(ProcessId)> observer) {
  state_->on_death = std::move(observer);
}

void World::OnWork(std::function<Duration()> extra) { state_->extra_work = std::move(extra); }

env::Environment World::EnvironmentOf(ProcessId process) {
  Process& found = *state_->processes.at(process);
  return {found.loop, found.pool, found.random};
}

env::TimerId World::Schedule(ProcessId process, Duration delay, env::Task task) {
  const EventKey key{state_->now + std::max(delay, Duration(0)), ++state_->sequence};
  state_->queue.emplace(key, Event{process, std::move(task)});
  state_->timers.emplace(key.sequence, key);
  return key.sequence;
}

void World::Cancel(env::TimerId timer) {
  const auto it = state_->timers.find(timer);
  if (it == state_->timers.end()) return;
  state_->queue.erase(it->second);
  state_->timers.erase(it);
}

bool World::RunUntil(const std::function<bool()>& done, Duration limit) {
  const Duration end = state_->now + limit;
  while (!done()) {
    if (state_->queue.empty() || state_->queue.begin()->first.time > end) {
      state_->now = std::max(state_->now, end);
      return false;
    }
    auto node = state_->queue.extract(state_->queue.begin());
    state_->now = node.key().time;
    Event& event = node.mapped();
    Process& process = *state_->processes.at(event.process);
    if (process.state == ProcessState::kStopped) {
      process.waiting.emplace(node.key(), std::move(event));
      continue;
    }
    state_->timers.erase(node.key().sequence);
    if (process.state == ProcessState::kDead) continue;
    ++state_->events;
    state_->hash = Mix64(state_->hash, static_cast<uint64_t>(state_->now.count()), event.process);
    event.task();
  }
  return true;
}

void World::RunFor(Duration duration) {
  RunUntil([] { return false; }, duration);
}

Duration World::now() const { return state_->now; }
uint64_t World::hash() const { return state_->hash; }
uint64_t World::events() const { return state_->events; }
SeededSequence& World::random() { return state_->random; }

}  // namespace primus::sim
