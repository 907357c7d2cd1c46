// All that is wrong with one configuration, in the order in which it was written.
//
// A line of it: `job.yaml:12:9: spec.train.mode: expected Async or Sync, got Asnc; did you mean
// Async?`, or `--set 2: spec.…` for what came from the command line. Owned by one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "primus/base/status.h"
#include "primus/config/position.h"

namespace primus::config {

class Problems {
 public:
  // `file` is how the user called the file.
  explicit Problems(std::string file) : file_(std::move(file)) {}

  // `path` may be empty.
  void Add(Position position, std::string path, std::string text);

  bool empty() const { return problems_.empty(); }
  std::size_t size() const { return problems_.size(); }
  // Whether something is wrong at `path`, inside it, or around it: whoever checks a value that
  // depends on another says nothing when that one was wrong already.
  bool Touch(std::string_view path) const;

  // The first 100 of them in the order of position; the last line says how many more there are.
  std::vector<std::string> Lines() const;
  // kInvalidArgument with the lines as its message, or OK.
  Status ToStatus() const;

 private:
  struct Problem {
    Position position;
    std::string path;
    std::string text;
  };
  std::string LineOf(const Problem& problem) const;

  std::string file_;
  std::vector<Problem> problems_;
};

}  // namespace primus::config
