// Every process of Primus starts here.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "apps/primus/command_line.h"

namespace {

// Whoever started this may have had its own ideas.
void ResetSignals() {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  // A reader that went away is an error of a write, not the end of the process.
  ::signal(SIGPIPE, SIG_IGN);
  // So is a file that may not grow (ulimit -f).
  ::signal(SIGXFSZ, SIG_IGN);
}

// What was printed has to have arrived. The reader of a pipe may have wanted no more of it.
int FinishOutput(int code) {
  errno = 0;
  const bool arrived = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  struct stat target {};
  const bool is_file = ::fstat(STDOUT_FILENO, &target) == 0 && !S_ISFIFO(target.st_mode) &&
                       !S_ISSOCK(target.st_mode);
  if (arrived || !is_file) return code;
  std::fprintf(stderr, "primus: standard output is not complete: %s\n",
               errno == 0 ? "a write failed" : std::strerror(errno));
  return code == 0 ? 1 : code;
}

}  // namespace

int main(int argc, char** argv) {
  // Numeric kernels are compiled for them (cmake/PrimusToolchain.cmake).
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    std::fprintf(stderr,
                 "primus: this processor has no AVX2 and FMA; run on an x86-64-v3 machine\n");
    return 1;
  }
  ResetSignals();
  try {
    return FinishOutput(primus::apps::RunCommandLine(argc, argv));
  } catch (const std::exception& error) {
    // Of libraries that the system refuses memory, threads or descriptors.
    std::fprintf(stderr, "primus: %s (see `ulimit -a` for what this process may use)\n",
                 error.what());
    return 1;
  }
}
