// An object store that finds out that it cannot be written any more.
//
// Passes every call on. A write that the store itself fails (a full disk; not a conflict, nor a
// name that is taken or missing) is tried again by whoever made it; when such failures go on for
// `kStoreTroubleMax` without one write going through, the store is lost and says so, once. Loop
// thread only; `store` and `clock` outlive it.
#pragma once

#include <functional>
#include <optional>

#include "primus/api/object_store.h"
#include "primus/env/event_loop.h"

namespace primus::node {

inline constexpr Duration kStoreTroubleMax = Seconds(10);

class WatchedStore final : public api::ObjectStore {
 public:
  WatchedStore(api::ObjectStore& store, const env::Clock& clock) : store_(store), clock_(clock) {}

  // Called from within the failed write.
  void OnLost(std::function<void(const Status&)> observer) { on_lost_ = std::move(observer); }
  // The failure of the last write, unless it went through.
  const Status& last_failure() const { return last_failure_; }

  Result<api::Object> Get(std::string_view kind, std::string_view name) override {
    return store_.Get(kind, name);
  }
  Result<api::ObjectList> List(std::string_view kind) override { return store_.List(kind); }
  Result<api::ObjectList> Changes(std::string_view kind, uint64_t version) override {
    return store_.Changes(kind, version);
  }
  void OnChange(std::function<void()> observer) override { store_.OnChange(std::move(observer)); }

  Result<api::Object> Create(const api::Object& object) override;
  Result<api::Object> UpdateSpec(const api::Object& object) override;
  Result<api::Object> UpdateStatus(const api::Object& object) override;
  Status Delete(std::string_view kind, std::string_view name) override;

 private:
  void Watch(const Status& written);

  api::ObjectStore& store_;
  const env::Clock& clock_;
  std::function<void(const Status&)> on_lost_;
  Status last_failure_;
  std::optional<Instant> failing_since_;
  bool is_lost_ = false;
};

}  // namespace primus::node
