// Objects in one SQLite file: what node keeps for a work directory.
//
// Write-ahead log with full synchronisation: a change is on disk when its call returns. The file
// carries its schema version; another one is refused. Errors name the file and what to do.
// Loop thread only.
#pragma once

#include <memory>
#include <string>

#include "primus/api/object_store.h"

namespace primus::api {

struct StoredObject;
enum class Part;

class SqliteObjectStore final : public ObjectStore {
 public:
  enum class Access { kReadWrite, kReadOnly };

  // Makes the file if there is none (not in kReadOnly: kNotFound).
  static Result<std::unique_ptr<SqliteObjectStore>> Open(const std::string& path, Access access);
  ~SqliteObjectStore() override;

  Result<Object> Get(std::string_view kind, std::string_view name) override;
  Result<ObjectList> List(std::string_view kind) override;
  Result<Object> Create(const Object& object) override;
  Result<Object> UpdateSpec(const Object& object) override;
  Result<Object> UpdateStatus(const Object& object) override;
  Status Delete(std::string_view kind, std::string_view name) override;
  Result<ObjectList> Changes(std::string_view kind, uint64_t version) override;
  void OnChange(std::function<void()> observer) override;

 private:
  struct State;
  explicit SqliteObjectStore(std::unique_ptr<State> state);

  Result<Object> Apply(const Object& object, Part part);
  Status Store(const StoredObject& stored);

  std::unique_ptr<State> state_;
};

}  // namespace primus::api
