#include "primus/api/sqlite_connection.h"

#include <sqlite3.h>

#include <utility>

namespace primus::api {
namespace {

Status ErrorOf(sqlite3* db, const std::string& path) {
  const int code = sqlite3_errcode(db) & 0xff;
  const std::string what = "the object store " + path + ": " + sqlite3_errmsg(db);
  switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return UnavailableError(what + "; another program has it open: end that one and try again");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return DataLossError(what +
                           "; move the file away to start without the history of jobs "
                           "(save points are not in it)");
    case SQLITE_FULL:
      return ResourceExhaustedError(what + "; make room on that disk");
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return {StatusCode::kPermissionDenied, what + "; make the file and its folder writable"};
    case SQLITE_IOERR:
      // The system's own word says more, with what to do: no space, too large, read-only.
      if (const int error = sqlite3_system_errno(db); error != 0) {
        return ErrnoError(what + " (make room on that disk, or raise ulimit -f)", error);
      }
      return InternalError(what + "; make room on that disk, or raise ulimit -f");
    default:
      return InternalError(what);
  }
}

}  // namespace

void SqliteStatement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void SqliteConnection::Close::operator()(sqlite3* db) const { sqlite3_close_v2(db); }

SqliteStatement::SqliteStatement(sqlite3_stmt* statement, std::string path)
    : statement_(statement), path_(std::move(path)) {}

SqliteStatement& SqliteStatement::BindText(int place, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), place, text.data(), text.size(), SQLITE_TRANSIENT,
                      SQLITE_UTF8);
  return *this;
}

SqliteStatement& SqliteStatement::BindBytes(int place, std::string_view bytes) {
  // A null pointer would bind NULL.
  const char* data = bytes.empty() ? "" : bytes.data();
  sqlite3_bind_blob64(statement_.get(), place, data, bytes.size(), SQLITE_TRANSIENT);
  return *this;
}

SqliteStatement& SqliteStatement::BindNumber(int place, uint64_t number) {
  sqlite3_bind_int64(statement_.get(), place, static_cast<sqlite3_int64>(number));
  return *this;
}

Result<bool> SqliteStatement::Step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return ErrorOf(sqlite3_db_handle(statement_.get()), path_);
}

std::string SqliteStatement::Bytes(int column) const {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return data == nullptr ? std::string() : std::string(data, static_cast<std::size_t>(size));
}

uint64_t SqliteStatement::Number(int column) const {
  return static_cast<uint64_t>(sqlite3_column_int64(statement_.get(), column));
}

Result<SqliteConnection> SqliteConnection::Open(const std::string& path, Mode mode) {
  const int flags =
      mode == Mode::kReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* db = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &db, flags, nullptr);
  SqliteConnection connection(db, path);
  if (db == nullptr) return ResourceExhaustedError("the object store " + path + ": no memory");
  if (code != SQLITE_OK) return ErrorOf(db, path);
  // Only one node writes; this is for a person who looks into the file meanwhile.
  sqlite3_busy_timeout(db, 250);
  return connection;
}

Result<SqliteStatement> SqliteConnection::Prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v2(db_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) return ErrorOf(db_.get(), path_);
  return SqliteStatement(statement, path_);
}

Status SqliteConnection::Run(const char* sql) {
  if (sqlite3_exec(db_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    return ErrorOf(db_.get(), path_);
  }
  return OkStatus();
}

}  // namespace primus::api
