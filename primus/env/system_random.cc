#include "primus/env/system_random.h"

#include <sys/random.h>

#include <cerrno>

#include "primus/base/check.h"

namespace primus::env {

uint64_t SystemRandom::Next() {
  uint64_t number = 0;
  ssize_t size = 0;
  do {
    size = ::getrandom(&number, sizeof(number), 0);
  } while (size < 0 && errno == EINTR);
  // Up to 256 bytes come whole or not at all.
  PRIMUS_CHECK(size == sizeof(number), "the kernel gives no random numbers");
  return number;
}

}  // namespace primus::env
