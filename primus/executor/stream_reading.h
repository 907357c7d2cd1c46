// Runs the calls on row streams in the ThreadPool, strictly one after the other.
//
// A stream that is closed while a call on it is under way is dropped when that call returns, and
// the next one is opened only then. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "primus/base/result.h"
#include "primus/data/row_stream.h"
#include "primus/env/thread_pool.h"
#include "primus/executor/task_reader.h"

namespace primus::executor {

class StreamReading {
 public:
  using Outcome = Result<std::optional<batch::EncodedRows>>;
  // `done` with the outcome of each call, unless its stream was closed meanwhile.
  StreamReading(env::ThreadPool& pool, data::RowStreams& streams,
                std::function<void(ReadId, Outcome)> done);
  ~StreamReading();
  StreamReading(const StreamReading&) = delete;
  StreamReading& operator=(const StreamReading&) = delete;

  void Open(OpenTask order);         // closes what was open, opens and reads
  void Read(const ReadRows& order);  // of the open stream
  void Close();

 private:
  struct Call;
  void RunNext();
  void Done(const std::shared_ptr<Call>& call);

  env::ThreadPool& pool_;
  data::RowStreams& streams_;
  std::function<void(ReadId, Outcome)> done_;
  std::shared_ptr<Call> running_;
  std::shared_ptr<Call> next_;
  std::unique_ptr<data::RowStream> stream_;  // between two calls
  ReadId open_ = 0;
  std::shared_ptr<StreamReading*> self_;  // empty pointer inside once destroyed
};

}  // namespace primus::executor
