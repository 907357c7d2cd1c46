#include "primus/rpc/grpc_connection.h"

#include <grpc/grpc.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/completion_queue.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "primus/rpc/unix_address.h"
#include "primus/telemetry/catalog.h"

namespace primus::rpc {
namespace {

struct ClientCall;

// The calls that one connection has made and that have not ended. Loop thread only.
struct OpenCalls {
  explicit OpenCalls(telemetry::Gauge& open_calls) : gauge(open_calls) {}
  struct Call {
    FrameDone done;
    std::shared_ptr<ClientCall> grpc;  // null when it ends without gRPC
  };
  void End(uint64_t number, Result<Frame> answer) {
    auto call = calls.extract(number);
    if (!call) return;
    gauge.Add(-1);
    call.mapped().done(std::move(answer));
  }
  telemetry::Gauge& gauge;
  std::map<uint64_t, Call> calls;
  uint64_t last_number = 0;
};

// One call on its way through gRPC. Shared by the connection, which may cancel it, and, through
// `self`, by gRPC while the answer is awaited.
struct ClientCall {
  std::shared_ptr<ClientCall> self;
  grpc::ClientContext context;
  grpc::ByteBuffer answer;
  grpc::Status status;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
  std::weak_ptr<OpenCalls> open;
  uint64_t number = 0;
  std::string where;  // "<method> at <address>"
};

gpr_timespec DeadlineIn(Duration timeout) {
  return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                      gpr_time_from_nanos(std::max<int64_t>(timeout.count(), 0), GPR_TIMESPAN));
}

std::shared_ptr<grpc::Channel> MakeChannel(const Address& address, const GrpcFrames& frames) {
  grpc::ChannelArguments arguments;
  for (const auto& [name, value] : TransportArguments()) arguments.SetInt(name, value);
  arguments.SetMaxReceiveMessageSize(frames.MessageBytesMax());
  arguments.SetMaxSendMessageSize(-1);
  // A call is repeated by Client, which knows whether it may, and nowhere else.
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // Each connection has a socket of its own.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

}  // namespace

struct GrpcAnswers::State {
  State(env::EventLoop& its_loop, std::shared_ptr<const GrpcFrames> its_frames,
        telemetry::Registry& metrics)
      : loop(its_loop),
        frames(std::move(its_frames)),
        open_calls(metrics.Get(telemetry::kRpcOpenCalls)) {}

  void RunThread() {
    void* tag = nullptr;
    bool ok = false;
    while (queue.Next(&tag, &ok)) {
      const std::shared_ptr<ClientCall> call = TakeCall(tag);
      Result<Frame> answer = call->status.ok() ? frames->Decode(call->answer)
                                               : FromTransport(call->status, call->where);
      loop.Post([open = call->open, number = call->number,
                 box = std::make_shared<Result<Frame>>(std::move(answer))] {
        if (const auto alive = open.lock()) alive->End(number, std::move(*box));
      });
    }
  }
  std::shared_ptr<ClientCall> TakeCall(void* tag) {
    const std::lock_guard lock(starting);
    return std::exchange(static_cast<ClientCall*>(tag)->self, nullptr);
  }

  env::EventLoop& loop;
  std::shared_ptr<const GrpcFrames> frames;
  telemetry::Gauge& open_calls;
  // Held while a call is begun, so that its answer finds it complete.
  std::mutex starting;
  grpc::CompletionQueue queue;
  std::thread thread;
};

GrpcAnswers::GrpcAnswers(env::EventLoop& loop, std::shared_ptr<const GrpcFrames> frames,
                         telemetry::Registry& metrics)
    : state_(std::make_unique<State>(loop, std::move(frames), metrics)) {
  state_->thread = std::thread([state = state_.get()] { state->RunThread(); });
}

GrpcAnswers::~GrpcAnswers() {
  state_->queue.Shutdown();
  state_->thread.join();
}

namespace {

class GrpcConnection final : public Connection {
 public:
  GrpcConnection(std::shared_ptr<GrpcAnswers> answers, Address address)
      : answers_(std::move(answers)),
        address_(std::move(address)),
        usable_(SocketPath(address_).status()),
        open_(std::make_shared<OpenCalls>(answers_->state().open_calls)) {}

  ~GrpcConnection() override {
    // Callbacks go now, even if one of them is what destroys the connection.
    const auto dropped = std::exchange(open_->calls, {});
    open_->gauge.Add(-static_cast<double>(dropped.size()));
    for (const auto& [number, call] : dropped) {
      if (call.grpc != nullptr) call.grpc->context.TryCancel();
    }
  }

  void Call(std::string_view method, Frame request, Duration timeout, FrameDone done) override {
    const uint64_t number = ++open_->last_number;
    OpenCalls::Call& call = open_->calls[number];
    call.done = std::move(done);
    open_->gauge.Add(1);
    Status error = usable_;
    if (error.ok()) error = CheckSize(request, answers_->state().frames->rules());
    if (!error.ok()) {
      return answers_->state().loop.Post([open = std::weak_ptr(open_), number, error] {
        if (const auto alive = open.lock()) alive->End(number, error);
      });
    }
    call.grpc = Start(method, std::move(request), timeout, number);
  }

 private:
  std::shared_ptr<ClientCall> Start(std::string_view method, Frame request, Duration timeout,
                                    uint64_t number) {
    GrpcAnswers::State& state = answers_->state();
    auto call = std::make_shared<ClientCall>();
    call->context.set_deadline(DeadlineIn(timeout));
    call->open = open_;
    call->number = number;
    call->where = std::string(method) + " at " + address_;
    grpc::ByteBuffer bytes;
    state.frames->Encode(StatusCode::kOk, std::move(request), &bytes);
    const std::string path = "/" + std::string(method);

    const std::lock_guard lock(state.starting);
    call->self = call;
    call->reader = Stub().PrepareUnaryCall(&call->context, path, bytes, &state.queue);
    call->reader->StartCall();
    call->reader->Finish(&call->answer, &call->status, call.get());
    return call;
  }

  // A channel that has failed waits 100 ms and more before it looks for its peer again; a new one
  // looks at once, which costs little on one host and lets Client's back-off decide.
  grpc::GenericStub& Stub() {
    if (channel_ == nullptr || channel_->GetState(false) == GRPC_CHANNEL_TRANSIENT_FAILURE) {
      channel_ = MakeChannel(address_, *answers_->state().frames);
      stub_ = std::make_unique<grpc::GenericStub>(channel_);
    }
    return *stub_;
  }

  std::shared_ptr<GrpcAnswers> answers_;
  Address address_;
  Status usable_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<grpc::GenericStub> stub_;
  std::shared_ptr<OpenCalls> open_;
};

}  // namespace

std::unique_ptr<Connection> ConnectGrpc(std::shared_ptr<GrpcAnswers> answers,
                                        const Address& address) {
  return std::make_unique<GrpcConnection>(std::move(answers), address);
}

}  // namespace primus::rpc
