// The command line of `primus`.
#pragma once

namespace primus::apps {

// Parses and carries out one command; the exit code. Help and mistakes are printed.
int RunCommandLine(int argc, const char* const* argv);

}  // namespace primus::apps
