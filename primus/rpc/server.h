// Typed handlers behind one address.
//
//   Server server(network);
//   server.Handle(kLease, [&](const wire::LeaseRequest& request, std::string payload,
//                             Reply<wire::LeaseResponse> reply) { reply(response); });
//   PRIMUS_TRY(server.Listen(address));
//
// Handlers run on the network's loop; a reply may be kept and given later. Unknown methods and
// malformed messages are answered with an error. Loop thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "primus/base/result.h"
#include "primus/rpc/method.h"
#include "primus/rpc/network.h"

namespace primus::rpc {

template <class Response>
class Reply {
 public:
  explicit Reply(ReplyFrame reply) : reply_(std::move(reply)) {}
  void operator()(const Response& response, std::string payload = {}) const {
    reply_(Frame{.message = response.SerializeAsString(), .payload = std::move(payload)});
  }
  void operator()(const Status& error) const { reply_(error); }

 private:
  ReplyFrame reply_;
};

class Server {
 public:
  explicit Server(Network& network) : network_(network) {}

  template <class Request, class Response, class Handler>
  void Handle(const Method<Request, Response>& method, Handler handler) {
    handlers_[std::string(method.name)] = [handler = std::move(handler), name = method.name](
                                              Frame frame, ReplyFrame reply) {
      Request request;
      if (!request.ParseFromString(frame.message)) return reply(Malformed(name));
      handler(request, std::move(frame.payload), Reply<Response>(std::move(reply)));
    };
  }
  // Call once, after the handlers are set.
  Status Listen(const Address& address);

 private:
  static Status Malformed(std::string_view name);

  Network& network_;
  std::map<std::string, std::function<void(Frame, ReplyFrame)>, std::less<>> handlers_;
  std::unique_ptr<Listener> listener_;
};

}  // namespace primus::rpc
