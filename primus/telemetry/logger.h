// Structured log lines: a constant message, then keys and values.
//
//   log.Info("split leased", {{"split", id}, {"holder", replica}});
//
// `Error` means that a person must act. One line a call:
//   2026-01-31T12:00:00.123456Z INFO trainer-0 split leased split=7 holder=executor-1
// Values with spaces or quotes are quoted. Secrets never enter a field. The sink and the clock are
// given; a Logger may be used from any thread if its sink may.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

#include "primus/base/ids.h"
#include "primus/base/status.h"
#include "primus/env/event_loop.h"

namespace primus::telemetry {

enum class Level { kDebug, kInfo, kWarn, kError };

// A key with the text of its value.
struct Field {
  Field(std::string_view field_key, std::string_view text) : key(field_key), value(text) {}
  Field(std::string_view field_key, const char* text) : key(field_key), value(text) {}
  Field(std::string_view field_key, const std::string& text) : key(field_key), value(text) {}
  Field(std::string_view field_key, int64_t number)
      : key(field_key), value(std::to_string(number)) {}
  Field(std::string_view field_key, uint64_t number)
      : key(field_key), value(std::to_string(number)) {}
  Field(std::string_view field_key, int number) : key(field_key), value(std::to_string(number)) {}
  Field(std::string_view field_key, uint32_t number)
      : key(field_key), value(std::to_string(number)) {}
  Field(std::string_view field_key, double number);
  Field(std::string_view field_key, const Stamp& stamp) : key(field_key), value(ToString(stamp)) {}
  Field(std::string_view field_key, const ReplicaId& replica)
      : key(field_key), value(ToString(replica)) {}
  Field(std::string_view field_key, const Status& status)
      : key(field_key), value(status.ToString()) {}

  std::string_view key;
  std::string value;
};

// Receives whole lines without a newline.
using Sink = std::function<void(Level, std::string_view line)>;

class Logger {
 public:
  // `name` says who speaks: "trainer-0". Lines below `lowest` are dropped.
  Logger(std::string name, const env::Clock& clock, Sink sink, Level lowest = Level::kInfo);

  void Debug(std::string_view message, std::initializer_list<Field> fields = {}) const;
  void Info(std::string_view message, std::initializer_list<Field> fields = {}) const;
  void Warn(std::string_view message, std::initializer_list<Field> fields = {}) const;
  void Error(std::string_view message, std::initializer_list<Field> fields = {}) const;

 private:
  void Write(Level level, std::string_view message, std::initializer_list<Field> fields) const;

  std::string name_;
  const env::Clock& clock_;
  Sink sink_;
  Level lowest_;
};

// Writes lines to standard error, which the runtime keeps in a file. Thread safe.
Sink StandardErrorSink();

}  // namespace primus::telemetry
