// Serves the objects of a store: the methods Get, List, Create, Update, Delete and Watch.
//
// A watch is a long poll: answered as soon as something newer is there, or after a while with
// nothing. Loop thread only; store and loop outlive it.
#pragma once

#include <list>
#include <memory>
#include <string>

#include "primus/api/object_store.h"
#include "primus/env/event_loop.h"
#include "primus/rpc/server.h"

namespace primus::wire {
class WatchObjectsResponse;
}

namespace primus::node {

class ObjectService {
 public:
  ObjectService(env::EventLoop& loop, api::ObjectStore& store);
  ~ObjectService();

  // Adds the handlers; `server` is gone before this.
  void Register(rpc::Server& server);
  // Answers the watches that have something to see; call it after a change of the store.
  void OnStoreChange();

 private:
  struct Watcher {
    std::string kind;
    uint64_t after = 0;
    rpc::Reply<wire::WatchObjectsResponse> reply;
    std::unique_ptr<env::Timer> timer;
  };
  using Watchers = std::list<Watcher>;

  void RegisterReads(rpc::Server& server);
  void RegisterWrites(rpc::Server& server);
  void Watch(Watcher watcher);
  // True if it was answered: something is newer, or it has failed.
  bool TryAnswer(const Watcher& watcher);

  env::EventLoop& loop_;
  api::ObjectStore& store_;
  Watchers watchers_;
};

}  // namespace primus::node
