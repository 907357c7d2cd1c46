// Every process of Primus starts here.
#include <signal.h>

#include <cstdio>

#include "apps/primus/command_line.h"

int main(int argc, char** argv) {
  // Numeric kernels are compiled for them (cmake/PrimusToolchain.cmake).
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    std::fprintf(stderr,
                 "primus: this processor has no AVX2 and FMA; run on an x86-64-v3 machine\n");
    return 1;
  }
  // A reader that went away is an error of a write, not the end of the process.
  ::signal(SIGPIPE, SIG_IGN);
  // So is a file that may not grow (ulimit -f).
  ::signal(SIGXFSZ, SIG_IGN);
  return primus::apps::RunCommandLine(argc, argv);
}
