#include "primus/node/object_service.h"

#include <gtest/gtest.h>

#include <optional>

#include "primus/api/memory_object_store.h"
#include "primus/api/methods.h"
#include "primus/env/asio_loop.h"
#include "primus/env/system_random.h"
#include "primus/env/worker_pool.h"
#include "primus/rpc/client.h"
#include "primus/rpc/inproc_network.h"

#include "proto/wire/node.pb.h"

namespace primus::node {
namespace {

class ObjectServiceTest : public testing::Test {
 protected:
  ObjectServiceTest() {
    service_.Register(server_);
    EXPECT_TRUE(server_.Listen("inproc:node").ok());
    store_.OnChange([this] { service_.OnStoreChange(); });
  }

  template <class Request, class Response>
  Result<Response> Call(const rpc::Method<Request, Response>& method, const Request& request) {
    std::optional<Result<rpc::Answer<Response>>> answer;
    client_.Call(method, request, {}, {},
                 std::function<void(Result<rpc::Answer<Response>>)>(
                     [&](Result<rpc::Answer<Response>> got) { answer = std::move(got); }));
    EXPECT_TRUE(loop_.RunUntil([&] { return answer.has_value(); }, Seconds(20)));
    if (!answer->ok()) return answer->status();
    return (*answer)->message;
  }

  static wire::CreateObjectRequest Create(const std::string& name) {
    wire::CreateObjectRequest request;
    request.mutable_object()->set_kind("Job");
    request.mutable_object()->set_name(name);
    request.mutable_object()->set_spec("s");
    return request;
  }

  env::AsioLoop loop_;
  env::WorkerPool pool_{loop_, 1};
  env::SystemRandom random_;
  rpc::InprocNetwork network_{loop_};
  api::MemoryObjectStore store_;
  ObjectService service_{loop_, store_};
  rpc::Server server_{network_};
  rpc::Client client_{{loop_, pool_, random_}, network_, "inproc:node"};
};

TEST_F(ObjectServiceTest, CreatesOnceAlsoWhenCalledTwice) {
  const auto once = Call(api::kCreateObject, Create("a"));
  const auto twice = Call(api::kCreateObject, Create("a"));
  ASSERT_TRUE(once.ok() && twice.ok());
  EXPECT_EQ(once->object().resource_version(), twice->object().resource_version());
}

TEST_F(ObjectServiceTest, UpdateTwiceIsOneChangeAndAnOldVersionConflicts) {
  const auto created = Call(api::kCreateObject, Create("a"));
  ASSERT_TRUE(created.ok());
  wire::UpdateObjectRequest update;
  *update.mutable_object() = created->object();
  update.mutable_object()->set_status("running");
  update.set_status_only(true);
  const auto once = Call(api::kUpdateObject, update);
  const auto twice = Call(api::kUpdateObject, update);
  ASSERT_TRUE(once.ok() && twice.ok());
  EXPECT_EQ(once->object().resource_version(), twice->object().resource_version());
  update.mutable_object()->set_status("other");
  EXPECT_EQ(Call(api::kUpdateObject, update).status().code(), StatusCode::kAborted);
}

TEST_F(ObjectServiceTest, DeletesOnceAlsoWhenCalledTwice) {
  ASSERT_TRUE(Call(api::kCreateObject, Create("a")).ok());
  wire::DeleteObjectRequest request;
  request.set_kind("Job");
  request.set_name("a");
  EXPECT_TRUE(Call(api::kDeleteObject, request).ok());
  EXPECT_TRUE(Call(api::kDeleteObject, request).ok());
  wire::GetObjectRequest get;
  get.set_kind("Job");
  get.set_name("a");
  EXPECT_EQ(Call(api::kGetObject, get).status().code(), StatusCode::kNotFound);
}

TEST_F(ObjectServiceTest, GetAndListShowWhatIsStored) {
  const auto created = Call(api::kCreateObject, Create("a"));
  ASSERT_TRUE(created.ok());
  ASSERT_TRUE(store_.Create({.kind = "Role", .name = "other"}).ok());
  wire::UpdateObjectRequest update;
  *update.mutable_object() = created->object();
  update.mutable_object()->set_spec("another");
  const auto updated = Call(api::kUpdateObject, update);
  ASSERT_TRUE(updated.ok());
  EXPECT_EQ(updated->object().generation(), created->object().generation() + 1);

  wire::GetObjectRequest get;
  get.set_kind("Job");
  get.set_name("a");
  const auto got = Call(api::kGetObject, get);
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->object().spec(), "another");
  wire::ListObjectsRequest request;
  request.set_kind("Job");
  const auto list = Call(api::kListObjects, request);
  ASSERT_TRUE(list.ok());
  ASSERT_EQ(list->objects_size(), 1);
  EXPECT_EQ(list->objects(0).SerializeAsString(), got->object().SerializeAsString());
  EXPECT_EQ(list->resource_version(), 3U);
}

TEST_F(ObjectServiceTest, WatchShowsThatAnObjectIsGone) {
  const auto created = Call(api::kCreateObject, Create("a"));
  ASSERT_TRUE(created.ok());
  ASSERT_TRUE(store_.Delete("Job", "a").ok());
  wire::WatchObjectsRequest watch;
  watch.set_kind("Job");
  watch.set_after_version(created->object().resource_version());
  const auto changes = Call(api::kWatchObjects, watch);
  ASSERT_TRUE(changes.ok());
  ASSERT_EQ(changes->changes_size(), 1);
  EXPECT_EQ(changes->changes(0).name(), "a");
  EXPECT_TRUE(changes->changes(0).deleted());
}

TEST_F(ObjectServiceTest, WatchIsAnsweredByTheNextChange) {
  wire::ListObjectsRequest list_request;
  list_request.set_kind("Job");
  const auto list = Call(api::kListObjects, list_request);
  ASSERT_TRUE(list.ok());
  wire::WatchObjectsRequest watch;
  watch.set_kind("Job");
  watch.set_after_version(list->resource_version());
  loop_.After(Milliseconds(5), [this] {
    EXPECT_TRUE(store_.Create({.kind = "Role", .name = "other"}).ok());
    EXPECT_TRUE(store_.Create({.kind = "Job", .name = "a"}).ok());
  });
  const auto changes = Call(api::kWatchObjects, watch);
  ASSERT_TRUE(changes.ok());
  ASSERT_EQ(changes->changes_size(), 1);
  EXPECT_EQ(changes->changes(0).name(), "a");
  EXPECT_EQ(changes->resource_version(), 2u);
}

}  // namespace
}  // namespace primus::node
