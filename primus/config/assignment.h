// `--set spec.data.streams[ratings].window=Hour`: one value of a tree put in place of another.
//
// A step is a key of a map or, in brackets, the name of an item of a list (or its ordinal, where
// items have no names). What is on the way and not there yet is made. The value is YAML, in flow
// style where it is more than a scalar, and replaces the old one whole.
#pragma once

#include <cstdint>
#include <string_view>

#include "primus/config/node.h"
#include "primus/config/problems.h"
#include "primus/config/schema.h"

namespace primus::config {

struct AssignmentText {
  uint32_t set = 0;       // its ordinal on the command line, from 1
  std::string_view text;  // "spec.seed=7"
};

struct AssignmentScope {
  const google::protobuf::Descriptor& root;  // says by which key the items of a list are named
  const Slots& slots;
};

// Changes the tree, or adds the problem that kept it from doing so.
void Assign(AssignmentText assignment, const AssignmentScope& scope, Node* root,
            Problems* problems);

}  // namespace primus::config
