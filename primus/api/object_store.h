// Declared resources by kind and name: the seam to SQLite on one machine, to an API server later.
//
// Versions are numbers of the whole store that only grow: every change takes the next one, so
// `Changes(kind, version)` is a watch by polling and `OnChange` says when to look. `spec` and
// `status` are serialised messages of the kind; the store never looks inside. `generation` counts
// changes of the spec alone. Implementations: memory_object_store.h, sqlite_object_store.h; both
// pass object_store_conformance.h. Calls block for the time of a disk write; loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "primus/base/result.h"
#include "primus/base/time.h"

namespace primus::api {

inline constexpr std::string_view kJobKind = "Job";

struct Object {
  std::string kind{};
  std::string name{};
  uint64_t resource_version = 0;
  uint64_t generation = 0;
  std::string spec{};
  std::string status{};
  WallTime created{};
  bool deleted = false;  // in Changes: the object is gone

  bool operator==(const Object&) const = default;
};

struct ObjectList {
  std::vector<Object> objects{};  // List: by name. Changes: by version
  uint64_t resource_version = 0;  // of the store: the place to watch on from
};

class ObjectStore {
 public:
  virtual ~ObjectStore() = default;

  // kNotFound if there is none.
  virtual Result<Object> Get(std::string_view kind, std::string_view name) = 0;
  virtual Result<ObjectList> List(std::string_view kind) = 0;
  // Gives version and generation 1. kAlreadyExists if the name is taken, unless by this very
  // object (same spec and time of creation): then a retry, answered with what is stored.
  virtual Result<Object> Create(const Object& object) = 0;
  // Replaces the spec; a different one takes the next generation. kAborted when
  // `resource_version` is not the stored one; a retry of a change that went through (same version
  // before, same bytes now) and a change of nothing are answered with what is stored.
  virtual Result<Object> UpdateSpec(const Object& object) = 0;
  // The same for the status; the generation stays.
  virtual Result<Object> UpdateStatus(const Object& object) = 0;
  // OK also when there is none.
  virtual Status Delete(std::string_view kind, std::string_view name) = 0;
  // Objects of `kind` changed after `version`, each in its newest state, deleted ones included.
  virtual Result<ObjectList> Changes(std::string_view kind, uint64_t version) = 0;
  // Called after every change, from within the call that made it. Replaces the former observer.
  virtual void OnChange(std::function<void()> observer) = 0;
};

}  // namespace primus::api
