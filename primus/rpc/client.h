// Typed calls to one address, with retries.
//
// `done` runs on the loop exactly once, unless the client is destroyed first: then never.
// A failed try whose code RetryTable() lists (retry.h) is repeated with the same request id, after
// a back-off, until `options.deadline` has passed. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "primus/base/result.h"
#include "primus/env/environment.h"
#include "primus/rpc/method.h"
#include "primus/rpc/network.h"

namespace primus::rpc {

struct CallOptions {
  Duration deadline{0};  // over all tries; 0: one try only
};

// A response message with the raw bytes that came beside it.
template <class Response>
struct Answer {
  Response message;
  std::string payload;
};

class Client {
 public:
  Client(env::Environment environment, Network& network, Address address);
  ~Client();

  template <class Request, class Response>
  void Call(const Method<Request, Response>& method, const Request& request, std::string payload,
            CallOptions options,
            std::type_identity_t<std::function<void(Result<Answer<Response>>)>> done) {
    Frame frame{.message = request.SerializeAsString(), .payload = std::move(payload)};
    CallFrame(method.name, method.timeout, std::move(frame), options,
              [done = std::move(done), name = method.name](Result<Frame> answer) {
                done(Parse<Response>(name, std::move(answer)));
              });
  }

  const Address& address() const;

 private:
  template <class Response>
  static Result<Answer<Response>> Parse(std::string_view name, Result<Frame> frame) {
    if (!frame.ok()) return frame.status();
    Answer<Response> answer;
    if (!answer.message.ParseFromString(frame->message)) return Malformed(name);
    answer.payload = std::move(frame->payload);
    return answer;
  }
  static Status Malformed(std::string_view name);
  void CallFrame(std::string_view method, Duration timeout, Frame frame, CallOptions options,
                 FrameDone done);

  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace primus::rpc
