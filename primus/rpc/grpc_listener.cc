#include "primus/rpc/grpc_listener.h"

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "primus/rpc/open_reply.h"
#include "primus/rpc/unix_address.h"

namespace primus::rpc {
namespace {

// So many requests may arrive before the thread has taken the first.
constexpr int kWaitingAccepts = 8;

// One request on its way through gRPC. Exactly one owner at a time: gRPC, while an operation is
// under way (its tag), or the listener, while the handler has not answered.
struct ServerCall {
  enum class Stage { kAccept, kRead, kAnswer };
  Stage stage = Stage::kAccept;
  grpc::GenericServerContext context;
  grpc::GenericServerAsyncReaderWriter stream{&context};
  grpc::ByteBuffer request;
  uint64_t request_id = 0;
};

// Reached from the loop, from the listener's thread and from replies that handlers keep.
class Service : public std::enable_shared_from_this<Service> {
 public:
  Service(env::EventLoop& loop, std::shared_ptr<const GrpcFrames> frames, FrameHandler handler)
      : loop_(loop), frames_(std::move(frames)), handler_(std::move(handler)) {}

  Status Start(const std::string& path);
  // Ends all calls; after it nothing runs any more.
  void Stop();

 private:
  using Stage = ServerCall::Stage;

  void RunThread();
  std::unique_ptr<ServerCall> TakeCall(void* tag);
  void Accept();
  void OnAccepted(std::unique_ptr<ServerCall> call);
  void OnRead(std::unique_ptr<ServerCall> call);
  void Handle(uint64_t number, const std::string& method, Frame request);
  void Answer(uint64_t number, Result<Frame> result);
  void Send(std::unique_ptr<ServerCall> call, Result<Frame> result);

  env::EventLoop& loop_;
  std::shared_ptr<const GrpcFrames> frames_;
  FrameHandler handler_;
  grpc::AsyncGenericService generic_;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::unique_ptr<grpc::Server> server_;
  std::thread thread_;

  // Operations begin under the mutex and never after `stopped_`: the queue may be shut by then.
  // What is begun but not ended still comes out of the queue.
  std::mutex mutex_;
  bool stopped_ = false;                                     // under mutex_
  uint64_t last_number_ = 0;                                 // under mutex_
  std::map<uint64_t, std::unique_ptr<ServerCall>> waiting_;  // for an answer; under mutex_
};

Status Service::Start(const std::string& path) {
  PRIMUS_ASSIGN(const BindLock lock, BindLock::Take(path));
  PRIMUS_TRY(ClearStaleSocket(path));
  grpc::ServerBuilder builder;
  builder.AddListeningPort("unix:" + path, grpc::InsecureServerCredentials());
  builder.RegisterAsyncGenericService(&generic_);
  builder.SetMaxReceiveMessageSize(frames_->MessageBytesMax());
  builder.SetMaxSendMessageSize(-1);
  for (const auto& [name, value] : TransportArguments()) builder.AddChannelArgument(name, value);
  queue_ = builder.AddCompletionQueue();
  server_ = builder.BuildAndStart();
  if (server_ == nullptr) {
    queue_->Shutdown();
    return UnavailableError("cannot listen at unix:" + path);
  }
  thread_ = std::thread([this] { RunThread(); });
  if (::chmod(path.c_str(), 0600) != 0) {
    const int error = errno;
    Stop();
    return ErrnoError("setting the mode of socket " + path, error);
  }
  const std::lock_guard guard(mutex_);
  for (int i = 0; i < kWaitingAccepts; ++i) Accept();
  return OkStatus();
}

void Service::Stop() {
  std::map<uint64_t, std::unique_ptr<ServerCall>> unanswered;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    unanswered.swap(waiting_);
  }
  // Destroying a call ends it for the peer. The server waits until none is left.
  unanswered.clear();
  server_->Shutdown(std::chrono::system_clock::time_point());  // without a time of grace
  queue_->Shutdown();
  thread_.join();
}

void Service::RunThread() {
  void* tag = nullptr;
  bool ok = false;
  while (queue_->Next(&tag, &ok)) {
    std::unique_ptr<ServerCall> call = TakeCall(tag);
    if (!ok) continue;  // the peer or the listener is gone, or its answer is sent
    switch (call->stage) {
      case Stage::kAccept:
        OnAccepted(std::move(call));
        break;
      case Stage::kRead:
        OnRead(std::move(call));
        break;
      case Stage::kAnswer:
        break;
    }
  }
}

// Under the mutex that its operation was begun under, so that this thread sees it whole.
std::unique_ptr<ServerCall> Service::TakeCall(void* tag) {
  const std::lock_guard lock(mutex_);
  return std::unique_ptr<ServerCall>(static_cast<ServerCall*>(tag));
}

// Under mutex_.
void Service::Accept() {
  auto call = std::make_unique<ServerCall>();
  ServerCall* tag = call.release();
  generic_.RequestCall(&tag->context, &tag->stream, queue_.get(), queue_.get(), tag);
}

void Service::OnAccepted(std::unique_ptr<ServerCall> call) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  Accept();
  call->stage = Stage::kRead;
  ServerCall* tag = call.release();
  tag->stream.Read(&tag->request, tag);
}

void Service::OnRead(std::unique_ptr<ServerCall> call) {
  Result<Frame> request = frames_->Decode(call->request);
  call->request.Clear();
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  if (!request.ok()) return Send(std::move(call), request.status());
  call->request_id = request->request_id;
  // A gRPC path is "/" and the method.
  std::string method = call->context.method().substr(1);
  const uint64_t number = ++last_number_;
  waiting_.emplace(number, std::move(call));
  loop_.Post([self = weak_from_this(), number, method = std::move(method),
              frame = std::make_shared<Frame>(*std::move(request))] {
    if (const auto service = self.lock()) service->Handle(number, method, std::move(*frame));
  });
}

void Service::Handle(uint64_t number, const std::string& method, Frame request) {
  handler_(method, std::move(request),
           MakeReply(method, [self = weak_from_this(), number](Result<Frame> result) {
             if (const auto service = self.lock()) service->Answer(number, std::move(result));
           }));
}

void Service::Answer(uint64_t number, Result<Frame> result) {
  const std::lock_guard lock(mutex_);
  auto call = waiting_.extract(number);
  if (call) Send(std::move(call.mapped()), std::move(result));
}

// Under mutex_, and not after Stop.
void Service::Send(std::unique_ptr<ServerCall> call, Result<Frame> result) {
  AnswerFrame answer = ToAnswer(std::move(result), call->request_id, frames_->rules());
  grpc::ByteBuffer bytes;
  frames_->Encode(answer.code, std::move(answer.frame), &bytes);
  call->stage = Stage::kAnswer;
  ServerCall* tag = call.release();
  tag->stream.WriteAndFinish(bytes, grpc::WriteOptions(), grpc::Status::OK, tag);
}

class GrpcListener final : public Listener {
 public:
  explicit GrpcListener(std::shared_ptr<Service> service) : service_(std::move(service)) {}
  ~GrpcListener() override { service_->Stop(); }

 private:
  std::shared_ptr<Service> service_;
};

}  // namespace

Result<std::unique_ptr<Listener>> ListenGrpc(env::EventLoop& loop,
                                             std::shared_ptr<const GrpcFrames> frames,
                                             const Address& address, FrameHandler handler) {
  PRIMUS_ASSIGN(const std::string path, SocketPath(address));
  auto service = std::make_shared<Service>(loop, std::move(frames), std::move(handler));
  PRIMUS_TRY(service->Start(path));
  return std::unique_ptr<Listener>(std::make_unique<GrpcListener>(std::move(service)));
}

}  // namespace primus::rpc
