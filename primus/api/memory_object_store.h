// Objects in memory: for tests and the simulator. Loop thread only.
#pragma once

#include <map>
#include <utility>

#include "primus/api/object_store.h"
#include "primus/api/object_version.h"

namespace primus::api {

class MemoryObjectStore final : public ObjectStore {
 public:
  Result<Object> Get(std::string_view kind, std::string_view name) override;
  Result<ObjectList> List(std::string_view kind) override;
  Result<Object> Create(const Object& object) override;
  Result<Object> UpdateSpec(const Object& object) override;
  Result<Object> UpdateStatus(const Object& object) override;
  Status Delete(std::string_view kind, std::string_view name) override;
  Result<ObjectList> Changes(std::string_view kind, uint64_t version) override;
  void OnChange(std::function<void()> observer) override { observer_ = std::move(observer); }

 private:
  using Key = std::pair<std::string, std::string>;

  StoredObject* FindLive(std::string_view kind, std::string_view name);
  Result<Object> Apply(const Object& object, Part part);
  void Store(StoredObject stored);

  std::map<Key, StoredObject> objects_;  // deleted ones stay, for watches
  uint64_t version_ = 0;
  std::function<void()> observer_;
};

}  // namespace primus::api
