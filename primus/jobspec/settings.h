// Values of a checked job that its messages hold as text.
#pragma once

#include <string>
#include <string_view>

#include "primus/base/time.h"

namespace primus::config {
class Job;
class Ready;
}  // namespace primus::config

namespace primus::jobspec {

Duration SavePointEvery(const config::Job& job);
// Of the base of a stream; 6 hours if not given.
Duration ReadyTimeout(const config::Ready& ready);

// The folder that holds a file: "." for a bare name.
std::string FolderOf(std::string_view file);

}  // namespace primus::jobspec
