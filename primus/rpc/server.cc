#include "primus/rpc/server.h"

namespace primus::rpc {

Status Server::Listen(const Address& address) {
  PRIMUS_ASSIGN(listener_, network_.Listen(address, [this](std::string_view method, Frame request,
                                                           ReplyFrame reply) {
    const auto handler = handlers_.find(method);
    if (handler == handlers_.end()) {
      return reply(UnimplementedError("unknown method " + std::string(method)));
    }
    handler->second(std::move(request), std::move(reply));
  }));
  return OkStatus();
}

Status Server::Malformed(std::string_view name) {
  return InvalidArgumentError("malformed request of " + std::string(name));
}

}  // namespace primus::rpc
