// What a call carries: a serialised protobuf message, and raw bytes beside it that protobuf never
// copies (keys, embedding rows, gradients).
#pragma once

#include <cstdint>
#include <string>

namespace primus::rpc {

struct Frame {
  uint64_t request_id = 0;  // the same for each retry of a call
  std::string message{};
  std::string payload{};
};

// "unix:/path/to/socket", "inproc:name"; the simulator's are "sim:name".
using Address = std::string;

}  // namespace primus::rpc
