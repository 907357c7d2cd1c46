#include "primus/base/status.h"

#include <cerrno>
#include <system_error>
#include <utility>

namespace primus {
namespace {

constexpr std::string_view kNames[] = {
    "OK",       "Cancelled",      "Unknown",          "InvalidArgument",   "DeadlineExceeded",
    "NotFound", "AlreadyExists",  "PermissionDenied", "ResourceExhausted", "FailedPrecondition",
    "Aborted",  "OutOfRange",     "Unimplemented",    "Internal",          "Unavailable",
    "DataLoss", "Unauthenticated"};

StatusCode CodeOfErrno(int error_number) {
  switch (error_number) {
    case ENOENT:
      return StatusCode::kNotFound;
    case EEXIST:
      return StatusCode::kAlreadyExists;
    case EACCES:
    case EPERM:
    case EROFS:
      return StatusCode::kPermissionDenied;
    case ENOSPC:
    case EDQUOT:
    case ENOMEM:
    case EMFILE:
      return StatusCode::kResourceExhausted;
    case EINVAL:
    case ENOTDIR:
    case EISDIR:
      return StatusCode::kInvalidArgument;
    case EAGAIN:
    case ECONNREFUSED:
    case ECONNRESET:
    case EPIPE:
      return StatusCode::kUnavailable;
    default:
      return StatusCode::kUnknown;
  }
}

}  // namespace

std::string_view StatusCodeName(StatusCode code) {
  const auto index = static_cast<std::size_t>(code);
  return index < std::size(kNames) ? kNames[index] : "Unknown";
}

Status::Status(StatusCode code, std::string message) {
  if (code != StatusCode::kOk) rep_ = std::make_shared<const Rep>(Rep{code, std::move(message)});
}

const std::string& Status::message() const {
  static const std::string kEmpty;
  return rep_ ? rep_->message : kEmpty;
}

std::string Status::ToString() const {
  if (ok()) return "OK";
  return std::string(StatusCodeName(code())) + ": " + message();
}

Status Status::WithContext(std::string_view text) const {
  if (ok()) return *this;
  return Status(code(), std::string(text) + ": " + message());
}

Status Status::WithContext(std::string_view text, std::string_view value) const {
  if (ok()) return *this;
  return WithContext(std::string(text) + " " + std::string(value));
}

Status InvalidArgumentError(std::string message) {
  return {StatusCode::kInvalidArgument, std::move(message)};
}
Status NotFoundError(std::string message) { return {StatusCode::kNotFound, std::move(message)}; }
Status AlreadyExistsError(std::string message) {
  return {StatusCode::kAlreadyExists, std::move(message)};
}
Status FailedPreconditionError(std::string message) {
  return {StatusCode::kFailedPrecondition, std::move(message)};
}
Status ResourceExhaustedError(std::string message) {
  return {StatusCode::kResourceExhausted, std::move(message)};
}
Status UnavailableError(std::string message) {
  return {StatusCode::kUnavailable, std::move(message)};
}
Status DeadlineExceededError(std::string message) {
  return {StatusCode::kDeadlineExceeded, std::move(message)};
}
Status AbortedError(std::string message) { return {StatusCode::kAborted, std::move(message)}; }
Status CancelledError(std::string message) { return {StatusCode::kCancelled, std::move(message)}; }
Status DataLossError(std::string message) { return {StatusCode::kDataLoss, std::move(message)}; }
Status InternalError(std::string message) { return {StatusCode::kInternal, std::move(message)}; }
Status OutOfRangeError(std::string message) {
  return {StatusCode::kOutOfRange, std::move(message)};
}
Status UnimplementedError(std::string message) {
  return {StatusCode::kUnimplemented, std::move(message)};
}

bool IsTransient(StatusCode code) {
  return code == StatusCode::kUnavailable || code == StatusCode::kDeadlineExceeded ||
         code == StatusCode::kResourceExhausted;
}

Status ErrnoError(std::string_view text, int error_number) {
  return {CodeOfErrno(error_number),
          std::string(text) + ": " + std::generic_category().message(error_number)};
}

}  // namespace primus
