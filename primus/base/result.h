// A value or the Status that explains why there is none, and the two macros that pass errors on.
//
//   Result<Plan> Load(std::string_view path) {
//     PRIMUS_ASSIGN(std::string text, ReadFile(path));
//     PRIMUS_TRY(Check(text));
//     return Parse(text);
//   }
#pragma once

#include <utility>
#include <variant>

#include "primus/base/check.h"
#include "primus/base/status.h"

namespace primus {

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : rep_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit
  // `status` must not be OK.
  Result(Status status) : rep_(std::in_place_index<1>, std::move(status)) {  // NOLINT: implicit
    PRIMUS_CHECK(!std::get<1>(rep_).ok(), "a Result without a value needs an error");
  }

  bool ok() const { return rep_.index() == 0; }
  Status status() const { return ok() ? OkStatus() : std::get<1>(rep_); }

  // Only when ok().
  T& value() & {
    PRIMUS_CHECK(ok(), status().ToString());
    return std::get<0>(rep_);
  }
  const T& value() const& {
    PRIMUS_CHECK(ok(), status().ToString());
    return std::get<0>(rep_);
  }
  T&& value() && {
    PRIMUS_CHECK(ok(), status().ToString());
    return std::get<0>(std::move(rep_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Result WithContext(std::string_view text) && {
    if (ok()) return std::move(*this);
    return status().WithContext(text);
  }

 private:
  std::variant<T, Status> rep_;
};

}  // namespace primus

#define PRIMUS_CONCAT_INNER(a, b) a##b
#define PRIMUS_CONCAT(a, b) PRIMUS_CONCAT_INNER(a, b)

// Returns the Status of `expr` from the function unless it is OK.
#define PRIMUS_TRY(...)                                                              \
  do {                                                                               \
    if (::primus::Status primus_try_status = (__VA_ARGS__); !primus_try_status.ok()) \
      return primus_try_status;                                                      \
  } while (false)

// PRIMUS_ASSIGN(auto x, expr): declares or assigns x from a Result, or returns its Status.
#define PRIMUS_ASSIGN(target, ...) \
  PRIMUS_ASSIGN_INNER(PRIMUS_CONCAT(primus_result_, __LINE__), target, __VA_ARGS__)
#define PRIMUS_ASSIGN_INNER(result, target, ...) \
  auto result = (__VA_ARGS__);                   \
  if (!result.ok()) return result.status();      \
  target = std::move(result).value()
