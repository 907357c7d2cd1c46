#include "primus/rpc/open_reply.h"

#include <memory>
#include <string>
#include <utility>

#include "primus/base/check.h"

namespace primus::rpc {
namespace {

class OpenReply {
 public:
  OpenReply(std::string_view method, FrameDone answer)
      : method_(method), answer_(std::move(answer)) {}
  ~OpenReply() {
    if (answer_) answer_(InternalError("the handler of " + method_ + " gave no answer"));
  }
  OpenReply(const OpenReply&) = delete;
  OpenReply& operator=(const OpenReply&) = delete;

  void Give(Result<Frame> result) {
    PRIMUS_CHECK(answer_ != nullptr, method_ + " was answered twice");
    std::exchange(answer_, nullptr)(std::move(result));
  }

 private:
  std::string method_;
  FrameDone answer_;
};

}  // namespace

ReplyFrame MakeReply(std::string_view method, FrameDone answer) {
  return [open = std::make_shared<OpenReply>(method, std::move(answer))](Result<Frame> result) {
    open->Give(std::move(result));
  };
}

}  // namespace primus::rpc
