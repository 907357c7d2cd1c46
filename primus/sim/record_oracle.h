// Judges what becomes durable: records once and in order, save points whole and exactly as trained
// as their position says, nothing deleted that is needed.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "primus/base/result.h"
#include "primus/sim/expected_model.h"
#include "primus/sim/store.h"
#include "primus/sim/verdict.h"

namespace primus::wire {
class Begin;
class Manifest;
class Record;
}  // namespace primus::wire

namespace primus::sim {

class RecordOracle {
 public:
  // All outlive the oracle.
  RecordOracle(const Blobs& blobs, const ExpectedModel& expected, Verdict& verdict);
  ~RecordOracle();

  // A blob was put (`bytes`) or deleted (null).
  void OnChange(const std::string& name, const std::string* bytes);
  // A master of `attempt` goes on with the job: no earlier one may commit any more.
  void OnAttemptGoesOn(uint64_t attempt);

  // A save point of this cut was committed.
  bool IsSaved(uint64_t cut) const { return cut == 0 || saved_cuts_.contains(cut); }
  // The position to which the newest record returns is the end of the data.
  Status CheckComplete(uint32_t phases) const;

 private:
  void OnPart(const std::string& name);
  void OnRecord(const std::string& name, const std::string& bytes);
  Status JudgeBegin(const wire::Begin& begin) const;
  Status JudgeManifest(const wire::Manifest& manifest) const;
  Result<KeyCounts> ReadModel(const wire::Manifest& manifest) const;
  void OnDeletion(const std::string& name);

  const Blobs& blobs_;
  const ExpectedModel& expected_;
  Verdict& verdict_;
  std::set<std::string> parts_;  // ever put
  std::set<uint64_t> saved_cuts_;
  uint64_t newest_ = 0;
  uint64_t attempt_ = 0;                      // of the newest record
  uint64_t went_on_ = 0;                      // the newest attempt that goes on
  uint64_t save_point_ = 0;                   // record of the newest save point
  std::unique_ptr<wire::Manifest> manifest_;  // of save_point_
};

}  // namespace primus::sim
