// The outcome of an operation that may fail: OK, or a code with a message.
//
// OK costs one null pointer. Codes and numbers are gRPC's canonical ones, so `rpc` maps them by
// cast. Context is added on the way up: `status.WithContext("opening split", path)` puts
// "opening split <path>: " in front. Values, safe to copy between threads.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace primus {

enum class StatusCode : int {
  kOk = 0,
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
  kUnauthenticated = 16,
};

// "NotFound", "DataLoss", …
std::string_view StatusCodeName(StatusCode code);

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message);

  bool ok() const { return rep_ == nullptr; }
  StatusCode code() const { return rep_ ? rep_->code : StatusCode::kOk; }
  // Empty when OK.
  const std::string& message() const;
  // "NotFound: no such file: a.parquet", or "OK".
  std::string ToString() const;

  // The same status with "<text>: " (or "<text> <value>: ") in front. OK stays OK.
  Status WithContext(std::string_view text) const;
  Status WithContext(std::string_view text, std::string_view value) const;

 private:
  struct Rep {
    StatusCode code;
    std::string message;
  };
  std::shared_ptr<const Rep> rep_;
};

inline Status OkStatus() { return {}; }

Status InvalidArgumentError(std::string message);
Status NotFoundError(std::string message);
Status AlreadyExistsError(std::string message);
Status FailedPreconditionError(std::string message);
Status ResourceExhaustedError(std::string message);
Status UnavailableError(std::string message);
Status DeadlineExceededError(std::string message);
Status AbortedError(std::string message);
Status CancelledError(std::string message);
Status DataLossError(std::string message);
Status InternalError(std::string message);
Status OutOfRangeError(std::string message);
Status UnimplementedError(std::string message);

// The same try may succeed in a while: unavailable, too late, or out of some resource.
bool IsTransient(StatusCode code);

// "<text>: <strerror(error_number)>" with the code nearest to `error_number`
// (ENOENT is NotFound, ENOSPC ResourceExhausted, EACCES PermissionDenied, …).
Status ErrnoError(std::string_view text, int error_number);

}  // namespace primus
