#include "primus/batch/wire_spans.h"

#include "proto/wire/common.pb.h"

namespace primus::batch {

void AddSpans(std::span<const Span> spans,
              google::protobuf::RepeatedPtrField<wire::Spans>* groups) {
  wire::Spans* group = nullptr;
  for (const Span& span : spans) {
    const auto kind = static_cast<uint32_t>(span.kind);
    if (group == nullptr || group->task() != span.task || group->kind() != kind) {
      group = groups->Add();
      group->set_task(span.task);
      group->set_kind(kind);
    }
    group->add_bounds(span.begin);
    group->add_bounds(span.end);
  }
}

void AppendSpans(const wire::Spans& group, std::vector<Span>& spans) {
  for (int i = 0; i + 1 < group.bounds_size(); i += 2) {
    spans.push_back(
        {group.task(), static_cast<RowKind>(group.kind()), group.bounds(i), group.bounds(i + 1)});
  }
}

}  // namespace primus::batch
