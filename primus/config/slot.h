// A place in the job file that plug-ins fill: key → the plug-in's own message and its factory.
//
// A seam's registry is a Slot of its factory type; apps/primus/plugins.cc adds to it, one line a
// plug-in. The walker (walker.h) reads names, keys and descriptors; the seam reads factories. The
// same line therefore serves both, and there is no static registration.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "primus/base/check.h"
#include "primus/base/result.h"

namespace google::protobuf {
class Descriptor;
}

namespace primus::config {

// What the walker sees of a slot.
class SlotKeys {
 public:
  explicit SlotKeys(std::string name) : name_(std::move(name)) {}
  const std::string& name() const { return name_; }
  const std::map<std::string, const google::protobuf::Descriptor*, std::less<>>& keys() const {
    return keys_;
  }

 protected:
  void AddKey(std::string key, const google::protobuf::Descriptor* options) {
    const bool added = keys_.emplace(std::move(key), options).second;
    PRIMUS_CHECK(added, "a key is registered once in its slot");
  }

 private:
  std::string name_;  // "operators"
  std::map<std::string, const google::protobuf::Descriptor*, std::less<>> keys_;
};

template <class Factory>
class Slot final : public SlotKeys {
 public:
  using SlotKeys::SlotKeys;

  // Add("compare", CompareOptions::descriptor(), &MakeCompare)
  void Add(std::string key, const google::protobuf::Descriptor* options, Factory factory) {
    AddKey(key, options);
    factories_.emplace(std::move(key), std::move(factory));
  }
  // Null if nothing is registered under `key`.
  const Factory* Find(std::string_view key) const {
    const auto it = factories_.find(key);
    return it == factories_.end() ? nullptr : &it->second;
  }

 private:
  std::map<std::string, Factory, std::less<>> factories_;
};

// What a factory is given, as the plug-in's own message. kInvalidArgument for other bytes.
template <class Options>
Result<Options> ParseOptions(std::string_view options) {
  Options parsed;
  if (parsed.ParseFromArray(options.data(), static_cast<int>(options.size()))) return parsed;
  return InvalidArgumentError("options that are no " + parsed.GetTypeName());
}

}  // namespace primus::config
