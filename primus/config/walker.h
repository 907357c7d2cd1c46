// YAML → a configuration message, strictly.
//
// Every mistake of a text is found in one run: unknown and duplicate keys, wrong types, values out
// of bounds, missing keys, variants without a plug-in. Defaults are filled in. Pure; no state.
#pragma once

#include <string>
#include <vector>

#include "primus/config/position.h"
#include "primus/config/problems.h"
#include "primus/config/schema.h"

namespace google::protobuf {
class Message;
}

namespace primus::config {

struct YamlInput {
  std::string file;               // as the user called it, for messages
  std::string text;               // one document
  std::vector<std::string> sets;  // assignments on top of it: "spec.seed=7"
};

struct Reading {
  SourceMap positions;
  Problems problems;
};

// Fills `message`, which is empty before. With problems it holds what could be read all the same,
// so that whoever checks more can go on (Problems::Touch says what not to trust).
Reading ReadYaml(const YamlInput& input, const Slots& slots, google::protobuf::Message* message);

// Fills one field of `message` with the default of its rule, which must have one.
void FillDefault(const google::protobuf::FieldDescriptor& field, const Slots& slots,
                 google::protobuf::Message* message);

}  // namespace primus::config
