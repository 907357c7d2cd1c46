// "unix:/path" addresses and the socket files behind them.
#pragma once

#include <string>

#include "primus/base/result.h"
#include "primus/rpc/frame.h"

namespace primus::rpc {

// The longest path that a socket address holds.
inline constexpr std::size_t kSocketPathBytesMax = 107;

// The path of `address`; kInvalidArgument when it is not "unix:" or too long.
Result<std::string> SocketPath(const Address& address);

// The exclusive right to bind below one folder, among all processes that ask for it; ends when
// destroyed. Two that start at once could otherwise both find a stale socket and replace each
// other's.
class BindLock {
 public:
  // Waits for others that are binding there; they take milliseconds.
  static Result<BindLock> Take(const std::string& socket_path);
  ~BindLock();
  BindLock(BindLock&& other) noexcept;
  BindLock& operator=(BindLock&&) = delete;

 private:
  explicit BindLock(int folder) : folder_(folder) {}
  int folder_;
};

// Makes `path` free to bind under the lock: removes a socket that nobody listens on.
// kAlreadyExists when somebody does, or when the file is no socket.
Status ClearStaleSocket(const std::string& path);

}  // namespace primus::rpc
