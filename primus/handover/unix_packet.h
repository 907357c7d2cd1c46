// Unix sockets that keep packets apart and carry descriptors (SOCK_SEQPACKET, SCM_RIGHTS). Nothing
// here blocks.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "primus/base/result.h"

namespace primus::handover {

// Owns a descriptor; -1 is none.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  ~UniqueFd() { Close(); }
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

 private:
  void Close();
  int fd_ = -1;
};

struct Packet {
  std::string bytes;
  std::vector<UniqueFd> fds;
};

inline constexpr std::size_t kPacketBytesMax = 4096;
inline constexpr std::size_t kPacketFdsMax = 3;

// kAlreadyExists when somebody listens at `path`; what a dead process left there is replaced.
Result<UniqueFd> ListenAt(const std::string& path);
// kUnavailable when nobody listens, or has no room for one more.
Result<UniqueFd> ConnectTo(const std::string& path);
// Nothing when nobody waits.
Result<std::optional<UniqueFd>> AcceptFrom(int listener);

// kUnavailable when the peer is gone or does not read.
Status SendPacket(int socket, std::string_view bytes, std::span<const int> fds = {});
// Nothing when nothing is there; kUnavailable at the end; kDataLoss for what is no packet of ours.
Result<std::optional<Packet>> ReceivePacket(int socket);

}  // namespace primus::handover
