// The rules of versions and generations, shared by the object stores.
#pragma once

#include <cstdint>
#include <string>

#include "primus/api/object_store.h"

namespace primus::api {

// What a store keeps of an object.
struct StoredObject {
  Object object;
  uint64_t previous_version = 0;  // before the last change; tells a retry from a conflict
};

enum class Part { kSpec, kStatus };

// What an update comes to: `changed` is to be stored, or nothing is to be done.
struct Update {
  StoredObject after;
  bool changed = false;
};

// `update` applied to `stored`, which takes `next_version` if anything differs. kAborted on a
// conflict.
Result<Update> ApplyUpdate(const StoredObject& stored, const Object& update, Part part,
                           uint64_t next_version);

// A first version of `object` under `next_version`.
StoredObject FirstVersion(const Object& object, uint64_t next_version);

// True if creating `object` again is a retry of the call that made `stored`.
bool IsSameCreation(const StoredObject& stored, const Object& object);

// "Job movielens"
std::string NameOf(std::string_view kind, std::string_view name);

}  // namespace primus::api
