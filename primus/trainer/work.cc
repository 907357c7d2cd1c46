#include "primus/trainer/work.h"

namespace primus::trainer {

void Work::Release() {
  if (reader == nullptr) return;
  view.reset();
  reader->Release(slot);
  reader.reset();
}

std::string Coordinates(const std::vector<batch::Span>& spans) {
  std::string text;
  for (const batch::Span& span : spans) {
    text += (text.empty() ? "task " : ", task ") + std::to_string(span.task) + " rows [" +
            std::to_string(span.begin) + ", " + std::to_string(span.end) + ")";
  }
  return text.empty() ? "no rows" : text;
}

}  // namespace primus::trainer
