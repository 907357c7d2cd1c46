#include "primus/node/object_service.h"

#include <utility>

#include "primus/api/methods.h"
#include "primus/api/wire_object.h"

#include "proto/wire/node.pb.h"

namespace primus::node {
namespace {

constexpr Duration kWatchTime = Seconds(5);
constexpr std::size_t kWatchersMax = 64;

// Answers with the object, or with the error.
template <class Response>
void AnswerObject(const Result<api::Object>& object, const rpc::Reply<Response>& reply) {
  if (!object.ok()) return reply(object.status());
  Response response;
  *response.mutable_object() = api::ToWire(*object);
  reply(response);
}

template <class Response>
void AnswerList(const Result<api::ObjectList>& list, Response* response,
                google::protobuf::RepeatedPtrField<wire::Object>* objects) {
  response->set_resource_version(list->resource_version);
  for (const api::Object& object : list->objects) *objects->Add() = api::ToWire(object);
}

}  // namespace

ObjectService::ObjectService(env::EventLoop& loop, api::ObjectStore& store)
    : loop_(loop), store_(store) {}

ObjectService::~ObjectService() = default;

void ObjectService::Register(rpc::Server& server) {
  RegisterReads(server);
  RegisterWrites(server);
}

void ObjectService::RegisterReads(rpc::Server& server) {
  server.Handle(api::kGetObject, [this](const wire::GetObjectRequest& request, const std::string&,
                                        const rpc::Reply<wire::GetObjectResponse>& reply) {
    AnswerObject(store_.Get(request.kind(), request.name()), reply);
  });
  server.Handle(api::kListObjects,
                [this](const wire::ListObjectsRequest& request, const std::string&,
                       const rpc::Reply<wire::ListObjectsResponse>& reply) {
                  const Result<api::ObjectList> list = store_.List(request.kind());
                  if (!list.ok()) return reply(list.status());
                  wire::ListObjectsResponse response;
                  AnswerList(list, &response, response.mutable_objects());
                  reply(response);
                });
  server.Handle(api::kWatchObjects,
                [this](const wire::WatchObjectsRequest& request, const std::string&,
                       const rpc::Reply<wire::WatchObjectsResponse>& reply) {
                  Watch({.kind = request.kind(),
                         .after = request.after_version(),
                         .reply = reply,
                         .timer = std::make_unique<env::Timer>(loop_)});
                });
}

void ObjectService::RegisterWrites(rpc::Server& server) {
  server.Handle(api::kCreateObject,
                [this](const wire::CreateObjectRequest& request, const std::string&,
                       const rpc::Reply<wire::CreateObjectResponse>& reply) {
                  AnswerObject(store_.Create(api::FromWire(request.object())), reply);
                });
  server.Handle(
      api::kUpdateObject, [this](const wire::UpdateObjectRequest& request, const std::string&,
                                 const rpc::Reply<wire::UpdateObjectResponse>& reply) {
        const api::Object object = api::FromWire(request.object());
        AnswerObject(
            request.status_only() ? store_.UpdateStatus(object) : store_.UpdateSpec(object), reply);
      });
  server.Handle(api::kDeleteObject,
                [this](const wire::DeleteObjectRequest& request, const std::string&,
                       const rpc::Reply<wire::DeleteObjectResponse>& reply) {
                  const Status deleted = store_.Delete(request.kind(), request.name());
                  if (!deleted.ok()) return reply(deleted);
                  reply(wire::DeleteObjectResponse());
                });
}

bool ObjectService::TryAnswer(const Watcher& watcher) {
  const Result<api::ObjectList> changes = store_.Changes(watcher.kind, watcher.after);
  if (!changes.ok()) {
    watcher.reply(changes.status());
    return true;
  }
  if (changes->objects.empty()) return false;
  wire::WatchObjectsResponse response;
  AnswerList(changes, &response, response.mutable_changes());
  watcher.reply(response);
  return true;
}

void ObjectService::Watch(Watcher watcher) {
  if (TryAnswer(watcher)) return;
  if (watchers_.size() >= kWatchersMax) {
    return watcher.reply(ResourceExhaustedError("too many watches; try again later"));
  }
  watchers_.push_back(std::move(watcher));
  const auto it = std::prev(watchers_.end());
  it->timer->Set(kWatchTime, [this, it] {
    wire::WatchObjectsResponse nothing;
    nothing.set_resource_version(it->after);
    it->reply(nothing);
    watchers_.erase(it);
  });
}

void ObjectService::OnStoreChange() {
  for (auto it = watchers_.begin(); it != watchers_.end();) {
    it = TryAnswer(*it) ? watchers_.erase(it) : std::next(it);
  }
}

}  // namespace primus::node
