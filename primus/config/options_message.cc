#include "primus/config/options_message.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/message.h>

#include "primus/base/check.h"

#include "proto/config/variant.pb.h"

namespace primus::config {

using google::protobuf::Descriptor;
using google::protobuf::Message;

std::unique_ptr<Message> NewMessage(const Descriptor& descriptor) {
  const Message* prototype =
      google::protobuf::MessageFactory::generated_factory()->GetPrototype(&descriptor);
  PRIMUS_CHECK(prototype != nullptr, "configuration messages come from generated code");
  return std::unique_ptr<Message>(prototype->New());
}

std::string SerializeStable(const Message& message) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    PRIMUS_CHECK(message.SerializeToCodedStream(&coded), "a message in memory can be serialised");
  }
  return bytes;
}

std::unique_ptr<Message> UnpackOptions(const Variant& variant, const SlotKeys& slot) {
  const auto it = slot.keys().find(variant.key());
  if (it == slot.keys().end()) return nullptr;
  std::unique_ptr<Message> options = NewMessage(*it->second);
  if (!options->ParseFromString(variant.options())) return nullptr;
  return options;
}

}  // namespace primus::config
