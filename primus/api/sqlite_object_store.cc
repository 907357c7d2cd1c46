#include "primus/api/sqlite_object_store.h"

#include <utility>

#include "primus/api/object_version.h"
#include "primus/api/sqlite_connection.h"

namespace primus::api {
namespace {

constexpr uint64_t kSchemaVersion = 1;
constexpr const char* kSchema = R"sql(
BEGIN;
CREATE TABLE objects (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  resource_version INTEGER NOT NULL UNIQUE,
  previous_version INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  created_nanos INTEGER NOT NULL,
  deleted INTEGER NOT NULL,
  spec BLOB NOT NULL,
  status BLOB NOT NULL,
  PRIMARY KEY (kind, name)
) WITHOUT ROWID;
PRAGMA user_version = 1;
COMMIT;
)sql";

#define PRIMUS_OBJECT_COLUMNS                                                                  \
  "kind, name, resource_version, previous_version, generation, created_nanos, deleted, spec, " \
  "status"

StoredObject ReadRow(const SqliteStatement& row) {
  StoredObject stored;
  stored.object.kind = row.Bytes(0);
  stored.object.name = row.Bytes(1);
  stored.object.resource_version = row.Number(2);
  stored.previous_version = row.Number(3);
  stored.object.generation = row.Number(4);
  stored.object.created = WallTime(Duration(static_cast<int64_t>(row.Number(5))));
  stored.object.deleted = row.Number(6) != 0;
  stored.object.spec = row.Bytes(7);
  stored.object.status = row.Bytes(8);
  return stored;
}

Result<uint64_t> LoadNumber(SqliteConnection& connection, std::string_view sql) {
  PRIMUS_ASSIGN(SqliteStatement statement, connection.Prepare(sql));
  PRIMUS_ASSIGN(const bool found, statement.Step());
  return found ? statement.Number(0) : 0;
}

Result<uint64_t> LoadVersion(SqliteConnection& connection) {
  return LoadNumber(connection, "SELECT coalesce(max(resource_version), 0) FROM objects");
}

Status CheckHealth(SqliteConnection& connection) {
  PRIMUS_ASSIGN(SqliteStatement check, connection.Prepare("PRAGMA quick_check(1)"));
  PRIMUS_ASSIGN(const bool found, check.Step());
  const std::string answer = found ? check.Bytes(0) : "no answer";
  if (answer == "ok") return OkStatus();
  return DataLossError("the object store " + connection.path() + " is damaged: " + answer +
                       "; move the file away to start without the history of jobs");
}

Status CheckSchema(SqliteConnection& connection, SqliteObjectStore::Access access) {
  PRIMUS_ASSIGN(const uint64_t version, LoadNumber(connection, "PRAGMA user_version"));
  if (version == kSchemaVersion) return CheckHealth(connection);
  PRIMUS_ASSIGN(const uint64_t tables,
                LoadNumber(connection, "SELECT count(*) FROM sqlite_schema"));
  const bool is_new = version == 0 && tables == 0;
  if (is_new && access == SqliteObjectStore::Access::kReadWrite) return connection.Run(kSchema);
  if (is_new) return NotFoundError("the object store " + connection.path() + " is empty");
  return FailedPreconditionError("the object store " + connection.path() + " has schema version " +
                                 std::to_string(version) + "; this build reads version " +
                                 std::to_string(kSchemaVersion) +
                                 ": use the build that wrote it, or move the file away");
}

}  // namespace

struct SqliteObjectStore::State {
  SqliteConnection connection;
  uint64_t version = 0;  // of the store, kept here by the only writer
  Access access = Access::kReadWrite;
  std::function<void()> observer{};

  // Readers in other processes follow the writer.
  Result<uint64_t> CurrentVersion() {
    if (access == Access::kReadOnly) return LoadVersion(connection);
    return version;
  }

  // The object, also a deleted one; kNotFound if the name was never used.
  Result<StoredObject> Load(std::string_view kind, std::string_view name) {
    PRIMUS_ASSIGN(SqliteStatement select,
                  connection.Prepare("SELECT " PRIMUS_OBJECT_COLUMNS
                                     " FROM objects WHERE kind = ?1 AND name = ?2"));
    select.BindText(1, kind).BindText(2, name);
    PRIMUS_ASSIGN(const bool found, select.Step());
    if (!found) return NotFoundError("there is no " + NameOf(kind, name));
    return ReadRow(select);
  }

  Result<StoredObject> LoadLive(std::string_view kind, std::string_view name) {
    PRIMUS_ASSIGN(StoredObject stored, Load(kind, name));
    if (stored.object.deleted) return NotFoundError("there is no " + NameOf(kind, name));
    return stored;
  }
};

SqliteObjectStore::SqliteObjectStore(std::unique_ptr<State> state) : state_(std::move(state)) {}
SqliteObjectStore::~SqliteObjectStore() = default;

Result<std::unique_ptr<SqliteObjectStore>> SqliteObjectStore::Open(const std::string& path,
                                                                   Access access) {
  const bool is_writer = access == Access::kReadWrite;
  PRIMUS_ASSIGN(SqliteConnection connection,
                SqliteConnection::Open(path, is_writer ? SqliteConnection::Mode::kReadWriteCreate
                                                       : SqliteConnection::Mode::kReadOnly));
  if (is_writer) {
    PRIMUS_TRY(connection.Run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"));
  }
  PRIMUS_TRY(CheckSchema(connection, access));
  auto state = std::make_unique<State>(State{.connection = std::move(connection)});
  state->access = access;
  PRIMUS_ASSIGN(state->version, LoadVersion(state->connection));
  return std::unique_ptr<SqliteObjectStore>(new SqliteObjectStore(std::move(state)));
}

void SqliteObjectStore::OnChange(std::function<void()> observer) {
  state_->observer = std::move(observer);
}

Result<Object> SqliteObjectStore::Get(std::string_view kind, std::string_view name) {
  PRIMUS_ASSIGN(StoredObject stored, state_->LoadLive(kind, name));
  return std::move(stored.object);
}

Result<ObjectList> SqliteObjectStore::List(std::string_view kind) {
  ObjectList list;
  PRIMUS_ASSIGN(list.resource_version, state_->CurrentVersion());
  PRIMUS_ASSIGN(
      SqliteStatement select,
      state_->connection.Prepare("SELECT " PRIMUS_OBJECT_COLUMNS
                                 " FROM objects WHERE kind = ?1 AND deleted = 0 ORDER BY name"));
  select.BindText(1, kind);
  while (true) {
    PRIMUS_ASSIGN(const bool found, select.Step());
    if (!found) return list;
    list.objects.push_back(ReadRow(select).object);
  }
}

Status SqliteObjectStore::Store(const StoredObject& stored) {
  PRIMUS_ASSIGN(SqliteStatement insert,
                state_->connection.Prepare("INSERT OR REPLACE INTO objects (" PRIMUS_OBJECT_COLUMNS
                                           ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"));
  const Object& object = stored.object;
  insert.BindText(1, object.kind).BindText(2, object.name);
  insert.BindNumber(3, object.resource_version).BindNumber(4, stored.previous_version);
  insert.BindNumber(5, object.generation);
  insert.BindNumber(6, static_cast<uint64_t>(object.created.time_since_epoch().count()));
  insert.BindNumber(7, object.deleted ? 1 : 0);
  insert.BindBytes(8, object.spec).BindBytes(9, object.status);
  PRIMUS_TRY(insert.Step().status());
  state_->version = object.resource_version;
  if (state_->observer) state_->observer();
  return OkStatus();
}

Result<Object> SqliteObjectStore::Create(const Object& object) {
  const Result<StoredObject> existing = state_->LoadLive(object.kind, object.name);
  if (existing.ok()) {
    if (IsSameCreation(*existing, object)) return existing->object;
    return AlreadyExistsError(NameOf(object.kind, object.name) + " is there already");
  }
  if (existing.status().code() != StatusCode::kNotFound) return existing.status();
  const StoredObject stored = FirstVersion(object, state_->version + 1);
  PRIMUS_TRY(Store(stored));
  return stored.object;
}

Result<Object> SqliteObjectStore::Apply(const Object& object, Part part) {
  PRIMUS_ASSIGN(const StoredObject stored, state_->LoadLive(object.kind, object.name));
  PRIMUS_ASSIGN(Update update, ApplyUpdate(stored, object, part, state_->version + 1));
  if (update.changed) PRIMUS_TRY(Store(update.after));
  return std::move(update.after.object);
}

Result<Object> SqliteObjectStore::UpdateSpec(const Object& object) {
  return Apply(object, Part::kSpec);
}

Result<Object> SqliteObjectStore::UpdateStatus(const Object& object) {
  return Apply(object, Part::kStatus);
}

Status SqliteObjectStore::Delete(std::string_view kind, std::string_view name) {
  Result<StoredObject> stored = state_->LoadLive(kind, name);
  if (stored.status().code() == StatusCode::kNotFound) return OkStatus();
  PRIMUS_TRY(stored.status());
  stored->previous_version = stored->object.resource_version;
  stored->object.resource_version = state_->version + 1;
  stored->object.deleted = true;
  return Store(*stored);
}

Result<ObjectList> SqliteObjectStore::Changes(std::string_view kind, uint64_t version) {
  ObjectList list;
  PRIMUS_ASSIGN(list.resource_version, state_->CurrentVersion());
  PRIMUS_ASSIGN(
      SqliteStatement select,
      state_->connection.Prepare("SELECT " PRIMUS_OBJECT_COLUMNS " FROM objects WHERE kind = ?1 "
                                 "AND resource_version > ?2 ORDER BY resource_version"));
  select.BindText(1, kind).BindNumber(2, version);
  while (true) {
    PRIMUS_ASSIGN(const bool found, select.Step());
    if (!found) return list;
    list.objects.push_back(ReadRow(select).object);
  }
}

}  // namespace primus::api
