#include "primus/handover/unix_packet.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace primus::handover {
namespace {

constexpr int kBacklog = 128;

Result<sockaddr_un> AddressOf(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(address.sun_path)) {
    return InvalidArgumentError("a socket path has 1 to " +
                                std::to_string(sizeof(address.sun_path) - 1) + " bytes: " + path);
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

Result<UniqueFd> NewSocket() {
  UniqueFd fd(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd.valid()) return ErrnoError("making a socket", errno);
  return fd;
}

const sockaddr* AsSockaddr(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

bool WouldBlock(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

Status PeerGone(int error) {
  return UnavailableError(std::string("the peer is gone: ") + std::strerror(error));
}

}  // namespace

void UniqueFd::Close() {
  // An error of close leaves nothing to do: the descriptor is gone in any case.
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Result<UniqueFd> ListenAt(const std::string& path) {
  PRIMUS_ASSIGN(const sockaddr_un address, AddressOf(path));
  PRIMUS_ASSIGN(UniqueFd fd, NewSocket());
  int bound = ::bind(fd.get(), AsSockaddr(address), sizeof(address));
  if (bound != 0 && errno == EADDRINUSE) {
    if (ConnectTo(path).ok()) return AlreadyExistsError("somebody listens at " + path);
    ::unlink(path.c_str());
    bound = ::bind(fd.get(), AsSockaddr(address), sizeof(address));
  }
  if (bound != 0) return ErrnoError("binding " + path, errno);
  if (::listen(fd.get(), kBacklog) != 0) return ErrnoError("listening at " + path, errno);
  return fd;
}

Result<UniqueFd> ConnectTo(const std::string& path) {
  PRIMUS_ASSIGN(const sockaddr_un address, AddressOf(path));
  PRIMUS_ASSIGN(UniqueFd fd, NewSocket());
  // On a Unix socket this succeeds or fails at once; a full backlog is EAGAIN.
  if (::connect(fd.get(), AsSockaddr(address), sizeof(address)) != 0) {
    return UnavailableError("connecting to " + path + ": " + std::strerror(errno));
  }
  return fd;
}

Result<std::optional<UniqueFd>> AcceptFrom(int listener) {
  UniqueFd fd(::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (fd.valid()) return std::optional<UniqueFd>(std::move(fd));
  if (WouldBlock(errno) || errno == EINTR || errno == ECONNABORTED) {
    return std::optional<UniqueFd>();
  }
  return ErrnoError("accepting", errno);
}

Status SendPacket(int socket, std::string_view bytes, std::span<const int> fds) {
  iovec part{.iov_base = const_cast<char*>(bytes.data()), .iov_len = bytes.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(kPacketFdsMax * sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!fds.empty()) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(fds.size_bytes());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(fds.size_bytes());
    std::memcpy(CMSG_DATA(header), fds.data(), fds.size_bytes());
  }
  if (::sendmsg(socket, &message, MSG_NOSIGNAL) < 0) return PeerGone(errno);
  return OkStatus();
}

Result<std::optional<Packet>> ReceivePacket(int socket) {
  Packet packet;
  packet.bytes.resize(kPacketBytesMax);
  iovec part{.iov_base = packet.bytes.data(), .iov_len = packet.bytes.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(kPacketFdsMax * sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  const ssize_t received = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (received < 0 && (WouldBlock(errno) || errno == EINTR)) return std::optional<Packet>();
  if (received < 0) return PeerGone(errno);
  for (cmsghdr* h = CMSG_FIRSTHDR(&message); h != nullptr; h = CMSG_NXTHDR(&message, h)) {
    if (h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (h->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(h) + i * sizeof(int), sizeof(int));
      packet.fds.emplace_back(fd);
    }
  }
  if (received == 0) return PeerGone(ECONNRESET);
  if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
    return DataLossError("a packet that is larger than any of ours");
  }
  packet.bytes.resize(static_cast<std::size_t>(received));
  return std::optional<Packet>(std::move(packet));
}

}  // namespace primus::handover
