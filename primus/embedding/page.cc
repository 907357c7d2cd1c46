#include "primus/embedding/page.h"

#include <cstring>
#include <new>

namespace primus::embedding {
namespace {

constexpr std::align_val_t kAlignment{64};

}  // namespace

PageRef PageRef::New(std::size_t bytes) {
  auto* page = new Page;
  page->bytes = bytes;
  page->data = static_cast<std::byte*>(operator new(bytes, kAlignment));
  return PageRef(page);
}

void PageRef::Drop() {
  if (page_ == nullptr) return;
  if (page_->holders.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    operator delete(page_->data, kAlignment);
    delete page_;
  }
}

void PageRef::CopyPage() {
  PageRef copy = New(page_->bytes);
  std::memcpy(copy.page_->data, page_->data, page_->bytes);
  *this = std::move(copy);
}

}  // namespace primus::embedding
