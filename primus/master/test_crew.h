// For tests of this module: a master's core, its storage, its containers, and replicas that do as
// they are told. Nothing happens by itself: the test lets everything come to rest (RunAll), lets
// time pass, and does the harm.
//
// The job of most tests: two ps, two trainers, two executors; one phase with the windows "mon" and
// "tue", of two tasks each, of ten rows each.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "primus/data/row_stream.h"
#include "primus/master/core.h"
#include "primus/master/test_replica.h"

namespace primus::wire {
class LeaseResponse;
class Record;
}  // namespace primus::wire

namespace primus::master {

CoreOptions TestJob();
std::vector<data::TaskPlan> TasksOf(const std::string& window);

class TestCrew {
 public:
  enum class Storage { kWorks, kWaits, kFails };

  // Launches everybody of TestJob(), but those whose names stand in `absent`.
  explicit TestCrew(CoreOptions options = TestJob(), const std::set<std::string>& absent = {});
  ~TestCrew();

  // By name: "ps-0".
  TestReplica& operator[](const std::string& name);
  // A new life of a replica.
  void Launch(const std::string& name);
  void Kill(const std::string& name);
  // The master is gone; what happens now is seen by the next one only.
  void StopMaster() { core.reset(); }
  // The next attempt finds the records and who is there.
  void RestartMaster();

  // Reports, directives, puts and plans, until there is nothing more to do at this instant.
  void RunAll();
  void Pass(Duration time);
  // One report, whatever it says; the directive in the answer is adopted.
  Status Report(TestReplica& replica);
  // The status of another time, as the network may bring it.
  Status Deliver(const wire::ReplicaStatus& status);

  Status AskLease(const std::string& executor, uint64_t request, wire::LeaseResponse* response);
  // Asks for one task under a new request number; a lease's task, or nothing.
  std::optional<TaskId> Lease(const std::string& executor);
  // Leases a task and has `trainer` train what is left of it. False if there was none.
  bool Work(const std::string& executor = "executor-0", const std::string& trainer = "trainer-0");
  // Works off all that can be leased.
  void WorkAll();

  // Answers a put that waits. With kTaken, what stands under its number must be in `records`.
  void AnswerPut(PutResult result);
  // Somebody else writes a record.
  void Write(const wire::Record& record);
  wire::Record RecordOf(uint64_t number) const;
  wire::Record WaitingRecord() const;  // of the put that waits

  bool Noted(const std::string& part) const;
  std::string mode() const { return core->progress().mode; }
  bool AllAre(int mode) const;  // a wire::Mode
  uint64_t trained() const { return core->progress().counts.of(batch::RowKind::kTrained); }

  CoreOptions options;
  std::unique_ptr<Core> core;
  Instant now{Seconds(1000)};
  Storage storage = Storage::kWorks;
  bool planning = true;
  std::map<uint64_t, std::string> records;  // durable
  std::optional<RecordPut> waiting_put;
  int puts = 0;  // ordered so far
  std::vector<std::string> notes;
  std::vector<std::string> lost;  // containers that node was told to end, in order
  std::optional<Outcome> outcome;

 private:
  void Carry();
  void CarryPut(const RecordPut& put);
  void Plan();
  void Start(const std::string& name);
  void ShowContainers();
  std::string Fingerprint() const;

  std::map<std::string, std::unique_ptr<TestReplica>> replicas_;
  std::map<std::string, RunningContainer> containers_;
  std::map<std::string, int> launches_;
  uint64_t next_request_ = 1;
};

}  // namespace primus::master
