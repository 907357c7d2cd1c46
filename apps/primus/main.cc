// Every process of Primus starts here.
#include <signal.h>

#include "apps/primus/command_line.h"

int main(int argc, char** argv) {
  // A reader that went away is an error of a write, not the end of the process.
  ::signal(SIGPIPE, SIG_IGN);
  // So is a file that may not grow (ulimit -f).
  ::signal(SIGXFSZ, SIG_IGN);
  return primus::apps::RunCommandLine(argc, argv);
}
