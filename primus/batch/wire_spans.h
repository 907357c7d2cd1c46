// Spans as messages: a run of one task and kind is one wire::Spans.
#pragma once

#include <span>
#include <vector>

#include "primus/batch/coverage.h"

namespace google::protobuf {
template <class Element>
class RepeatedPtrField;
}

namespace primus::wire {
class Spans;
}

namespace primus::batch {

void AddSpans(std::span<const Span> spans, google::protobuf::RepeatedPtrField<wire::Spans>* groups);
// What is not a pair of bounds is left out.
void AppendSpans(const wire::Spans& group, std::vector<Span>& spans);

}  // namespace primus::batch
