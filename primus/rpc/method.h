// Methods as values. Wire messages and their methods stand together:
//
//   inline constexpr Method<wire::PullRequest, wire::PullResponse> kPull{
//       .name = "primus.Ps/Pull", .timeout = Seconds(5)};
//
// Retries are the client's (client.h), from one table (retry.h); every method is idempotent, by
// its own means, and its handler has a test that calls it twice.
#pragma once

#include <string_view>

#include "primus/base/time.h"

namespace primus::rpc {

template <class RequestT, class ResponseT>
struct Method {
  using Request = RequestT;
  using Response = ResponseT;
  std::string_view name;
  Duration timeout = Seconds(5);  // of one try
};

}  // namespace primus::rpc
