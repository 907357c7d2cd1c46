// What the records of a job amount to: the newest one, the save point that the model would return
// to, and which save points are kept. Pure; the shell reads and puts the blobs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "primus/base/result.h"

namespace primus::wire {
class Manifest;
class Record;
}  // namespace primus::wire

namespace primus::savepoint {

class History {
 public:
  explicit History(uint32_t keep_last);
  ~History();

  // A record that is durable, in the order of numbers.
  void Append(const wire::Record& record);
  // kDataLoss if the save point that the newest record returns to is not there. A `begin` before it
  // may return to one that was deleted since.
  Status Check() const;

  uint64_t next_number() const { return newest_ + 1; }
  bool empty() const { return newest_ == 0; }
  // Number of the manifest to return to; 0: a fresh model.
  uint64_t save_point() const { return save_point_; }
  // Null for a fresh model.
  const wire::Manifest* manifest() const;
  // The highest stamp that any record names.
  uint64_t attempt() const { return attempt_; }
  uint64_t view() const { return view_; }
  uint64_t cut() const { return cut_; }

  // Records that may go: all but the newest, the save point, those kept, and the first `begin` of
  // each attempt: its number is the one that the attempt before may still try to commit under.
  std::vector<uint64_t> Superseded() const;
  // Drops them from the history (the shell deletes the blobs).
  void Forget(const std::vector<uint64_t>& numbers);
  // May the part of this name go? Only if no kept manifest names it and it is of an attempt and cut
  // older than the newest manifest's.
  bool PartIsGarbage(std::string_view name) const;

 private:
  std::vector<uint64_t> Kept() const;

  uint32_t keep_last_;
  uint64_t newest_ = 0;
  uint64_t save_point_ = 0;
  uint64_t attempt_ = 0;
  uint64_t view_ = 0;
  uint64_t cut_ = 0;
  std::set<uint64_t> begins_;  // but the first of each attempt
  std::map<uint64_t, std::shared_ptr<const wire::Manifest>> manifests_;
};

}  // namespace primus::savepoint
