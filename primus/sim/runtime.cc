#include "primus/sim/runtime.h"

#include <utility>

namespace primus::sim {

Containers::Containers(World& world, Faults& faults, ProcessId owner, Start start)
    : world_(world), faults_(faults), owner_(owner), start_(std::move(start)) {}

Status Containers::Launch(const runtime::ContainerSpec& spec) {
  if (entries_.contains(spec.id)) return AlreadyExistsError("container id was used: " + spec.id);
  if (faults_.launch_fails > 0 && world_.random().NextUnit() < faults_.launch_fails) {
    faults_.hits.Hit("runtime.launch fails");
    return UnavailableError("cannot start a process now");
  }
  Entry entry;
  entry.status.id = spec.id;
  entries_.emplace(spec.id, entry);
  const Duration delay = Milliseconds(5 + static_cast<int64_t>(world_.random().Below(60)));
  world_.Schedule(owner_, delay, [this, spec] {
    const auto it = entries_.find(spec.id);
    if (it == entries_.end() || it->second.status.state != runtime::ContainerState::kRunning) {
      return;
    }
    it->second.process = world_.Spawn(spec.id);
    start_(it->second.process, spec);
  });
  return OkStatus();
}

void Containers::Stop(const runtime::ContainerId& id, runtime::StopMode mode) {
  const auto it = entries_.find(id);
  if (it == entries_.end()) return;
  if (it->second.disowned) return;
  if (it->second.process == 0) return Notice(id, 143);
  if (mode == runtime::StopMode::kGraceful) it->second.code = 143;
  const bool late = mode == runtime::StopMode::kImmediate && faults_.late_kill > 0 &&
                    world_.random().NextUnit() < faults_.late_kill;
  if (!late) return world_.Kill(it->second.process);
  faults_.hits.Hit("runtime.late kill");
  Disown(it->second.process);
}

void Containers::Disown(ProcessId process) {
  if (world_.StateOf(process) == ProcessState::kDead || !disowned_.insert(process).second) return;
  for (auto& [id, entry] : entries_) {
    if (entry.process != process) continue;
    entry.process = 0;
    entry.disowned = true;
    world_.Schedule(owner_, Milliseconds(1), [this, gone = id] { Notice(gone, 137); });
    break;
  }
  if (on_disown_) on_disown_(process);
}

std::vector<runtime::ContainerStatus> Containers::List() const {
  std::vector<runtime::ContainerStatus> all;
  for (const auto& [id, entry] : entries_) all.push_back(entry.status);
  return all;
}

void Containers::Forget(const runtime::ContainerId& id) { entries_.erase(id); }

void Containers::OnChange(std::function<void()> observer) { observer_ = std::move(observer); }

void Containers::Exit(ProcessId process, int code) {
  for (auto& [id, entry] : entries_) {
    if (entry.process == process) entry.code = code;
  }
  world_.Kill(process);
}

void Containers::OnDeath(ProcessId process) {
  disowned_.erase(process);
  for (const auto& [id, entry] : entries_) {
    if (entry.process != process) continue;
    Duration delay = Milliseconds(1);
    if (faults_.late_notice > 0 && world_.random().NextUnit() < faults_.late_notice) {
      faults_.hits.Hit("runtime.late notice");
      delay = Milliseconds(static_cast<int64_t>(world_.random().Below(15000)));
    }
    world_.Schedule(owner_, delay, [this, id = id, code = entry.code] { Notice(id, code); });
    return;
  }
}

void Containers::Notice(const runtime::ContainerId& id, int code) {
  const auto it = entries_.find(id);
  if (it == entries_.end()) return;
  it->second.status.state = runtime::ContainerState::kExited;
  it->second.status.exit_code = code;
  it->second.status.reason =
      code == 137 ? "killed by signal 9 (SIGKILL)" : "exited with code " + std::to_string(code);
  if (observer_) observer_();
}

}  // namespace primus::sim
