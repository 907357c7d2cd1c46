#include "primus/node/watched_store.h"

#include <utility>

namespace primus::node {
namespace {

// What the caller got wrong says nothing about the store.
bool IsTrouble(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
    case StatusCode::kAborted:
    case StatusCode::kNotFound:
    case StatusCode::kAlreadyExists:
    case StatusCode::kInvalidArgument:
    case StatusCode::kFailedPrecondition:
      return false;
    default:
      return true;
  }
}

}  // namespace

void WatchedStore::Watch(const Status& written) {
  if (!IsTrouble(written.code())) {
    failing_since_.reset();
    last_failure_ = OkStatus();
    return;
  }
  const Instant now = clock_.Get().monotonic;
  if (!failing_since_) failing_since_ = now;
  last_failure_ = written;
  if (is_lost_ || now - *failing_since_ < kStoreTroubleMax) return;
  is_lost_ = true;
  if (on_lost_) on_lost_(written);
}

Result<api::Object> WatchedStore::Create(const api::Object& object) {
  Result<api::Object> written = store_.Create(object);
  Watch(written.status());
  return written;
}

Result<api::Object> WatchedStore::UpdateSpec(const api::Object& object) {
  Result<api::Object> written = store_.UpdateSpec(object);
  Watch(written.status());
  return written;
}

Result<api::Object> WatchedStore::UpdateStatus(const api::Object& object) {
  Result<api::Object> written = store_.UpdateStatus(object);
  Watch(written.status());
  return written;
}

Status WatchedStore::Delete(std::string_view kind, std::string_view name) {
  Status deleted = store_.Delete(kind, name);
  Watch(deleted);
  return deleted;
}

}  // namespace primus::node
