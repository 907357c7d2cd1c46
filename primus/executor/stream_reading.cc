#include "primus/executor/stream_reading.h"

#include <utility>

namespace primus::executor {

// What one call takes to the pool and brings back.
struct StreamReading::Call {
  ReadId read = 0;
  std::optional<OpenTask> open;
  std::unique_ptr<data::RowStream> stream;
  Outcome outcome = std::optional<batch::EncodedRows>();

  void Run(data::RowStreams& streams) { outcome = Next(streams); }
  Outcome Next(data::RowStreams& streams) {
    if (open) {
      PRIMUS_ASSIGN(stream, streams.Open(open->plan, open->scope, open->skip));
    }
    return stream->Next();
  }
};

StreamReading::StreamReading(env::ThreadPool& pool, data::RowStreams& streams,
                             std::function<void(ReadId, Outcome)> done)
    : pool_(pool),
      streams_(streams),
      done_(std::move(done)),
      self_(std::make_shared<StreamReading*>(this)) {}

StreamReading::~StreamReading() { *self_ = nullptr; }

void StreamReading::Open(OpenTask order) {
  Close();
  open_ = order.read;
  next_ = std::make_shared<Call>();
  next_->read = order.read;
  next_->open = std::move(order);
  RunNext();
}

void StreamReading::Read(const ReadRows& order) {
  if (order.read != open_) return;
  next_ = std::make_shared<Call>();
  next_->read = order.read;
  next_->stream = std::move(stream_);
  RunNext();
}

void StreamReading::Close() {
  open_ = 0;
  next_.reset();
  stream_.reset();
}

void StreamReading::RunNext() {
  if (running_ || !next_) return;
  running_ = std::exchange(next_, nullptr);
  pool_.Run([call = running_, &streams = streams_] { call->Run(streams); },
            [call = running_, self = self_] {
              if (*self != nullptr) (*self)->Done(call);
            });
}

void StreamReading::Done(const std::shared_ptr<Call>& call) {
  running_.reset();
  const bool wanted = call->read == open_;
  if (wanted) stream_ = std::move(call->stream);
  RunNext();
  if (wanted) done_(call->read, std::move(call->outcome));
}

}  // namespace primus::executor
