// The sources of a stream by name.
#pragma once

#include <string_view>

namespace primus::config {
class Source;
class Stream;
}  // namespace primus::config

namespace primus::jobspec {

// Null if there is none of this name.
const config::Source* FindSource(const config::Stream& stream, std::string_view name);
// The source whose rows are counted; a checked stream has one.
const config::Source* BaseOf(const config::Stream& stream);

}  // namespace primus::jobspec
