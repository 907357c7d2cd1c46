// A SQLite connection as values: statements with bound text and numbers, errors with the file's
// name. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "primus/base/result.h"

// SQLite's own, as its header declares them.
struct sqlite3;
struct sqlite3_stmt;

namespace primus::api {

// One prepared statement: bind from 1 on, then Step until it is false.
class SqliteStatement {
 public:
  SqliteStatement(sqlite3_stmt* statement, std::string path);

  SqliteStatement& BindText(int place, std::string_view text);
  SqliteStatement& BindBytes(int place, std::string_view bytes);
  SqliteStatement& BindNumber(int place, uint64_t number);
  // True if there is a row to read, false at the end.
  Result<bool> Step();
  std::string Bytes(int column) const;
  uint64_t Number(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::string path_;
};

class SqliteConnection {
 public:
  enum class Mode { kReadOnly, kReadWriteCreate };

  static Result<SqliteConnection> Open(const std::string& path, Mode mode);

  Result<SqliteStatement> Prepare(std::string_view sql);
  // Runs statements that give no rows.
  Status Run(const char* sql);
  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* db) const;
  };
  SqliteConnection(sqlite3* db, std::string path) : db_(db), path_(std::move(path)) {}

  std::unique_ptr<sqlite3, Close> db_;
  std::string path_;
};

}  // namespace primus::api
