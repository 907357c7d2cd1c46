#include "apps/primus/node_client.h"

#include <optional>
#include <utility>

#include "apps/primus/query_commands.h"
#include "primus/api/conditions.h"
#include "primus/api/methods.h"
#include "primus/api/object_store.h"
#include "primus/env/asio_loop.h"
#include "primus/env/system_random.h"
#include "primus/env/worker_pool.h"
#include "primus/rpc/client.h"
#include "primus/rpc/grpc_network.h"
#include "primus/telemetry/metrics.h"

#include "proto/wire/node.pb.h"

namespace primus::apps {
namespace {

constexpr int kConflictsMax = 100;
// Longer than any call takes; a call always ends by its own deadline.
constexpr Duration kForever = Seconds(3600);

class NodeClient {
 public:
  explicit NodeClient(const std::string& address)
      : client_({loop_, pool_, random_}, network_, address) {}

  template <class Request, class Response>
  Result<Response> Call(const rpc::Method<Request, Response>& method, const Request& request) {
    std::optional<Result<rpc::Answer<Response>>> answer;
    client_.Call(method, request, {}, {},
                 std::function<void(Result<rpc::Answer<Response>>)>(
                     [&](Result<rpc::Answer<Response>> got) { answer = std::move(got); }));
    if (!loop_.RunUntil([&] { return answer.has_value(); }, kForever)) {
      return DeadlineExceededError("no answer from node");
    }
    if (!answer->ok()) return answer->status();
    return std::move((*answer)->message);
  }

  Result<wire::Object> Get(const std::string& job) {
    wire::GetObjectRequest request;
    request.set_kind(std::string(api::kJobKind));
    request.set_name(job);
    PRIMUS_ASSIGN(const wire::GetObjectResponse response, Call(api::kGetObject, request));
    return response.object();
  }

 private:
  env::AsioLoop loop_;
  env::WorkerPool pool_{loop_, 1};
  env::SystemRandom random_;
  telemetry::Registry metrics_;
  rpc::GrpcNetwork network_{loop_, metrics_};
  rpc::Client client_;
};

Status SetStop(NodeClient& client, const std::string& job, StopKind kind) {
  PRIMUS_ASSIGN(wire::Object object, client.Get(job));
  wire::StoredJob stored;
  if (!stored.ParseFromString(object.spec())) {
    return DataLossError("job " + job + " cannot be read");
  }
  stored.set_stop(true);
  stored.set_stop_now(kind == StopKind::kNow || stored.stop_now());
  object.set_spec(stored.SerializeAsString());
  wire::UpdateObjectRequest request;
  *request.mutable_object() = std::move(object);
  return client.Call(api::kUpdateObject, request).status();
}

bool IsRunning(const wire::Object& object) {
  wire::JobStatus status;
  return status.ParseFromString(object.status()) && api::IsTrue(status, api::kRunning);
}

}  // namespace

Status AskToStop(const std::string& address, const std::string& job, StopKind kind) {
  NodeClient client(address);
  Status set = AbortedError("");
  for (int i = 0; i < kConflictsMax && set.code() == StatusCode::kAborted; ++i) {
    set = SetStop(client, job, kind);
  }
  return set;
}

Status AwaitStopped(const std::string& address, const std::string& job) {
  NodeClient client(address);
  while (true) {
    Result<wire::Object> object = client.Get(job);
    // The node ends with its job.
    if (object.status().code() == StatusCode::kUnavailable) return OkStatus();
    PRIMUS_TRY(object.status());
    if (!IsRunning(*object)) return OkStatus();
    wire::WatchObjectsRequest request;
    request.set_kind(std::string(api::kJobKind));
    request.set_after_version(object->resource_version());
    const Result<wire::WatchObjectsResponse> changes = client.Call(api::kWatchObjects, request);
    const StatusCode code = changes.status().code();
    if (code == StatusCode::kUnavailable) return OkStatus();
    if (code != StatusCode::kDeadlineExceeded) PRIMUS_TRY(changes.status());
  }
}

}  // namespace primus::apps
