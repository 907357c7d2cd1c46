// Memory of rows that is shared between a table and its frozen copies, and copied when it is
// written while shared.
//
// A `PageRef` counts one holder. The writer (one thread) calls `Writable()` before each write: if a
// frozen copy holds the page too, the writer gets its own copy first. Frozen copies only read, and
// may be dropped on any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace primus::embedding {

class PageRef {
 public:
  PageRef() = default;
  // A page of `bytes` (at least 1), not initialised, 64-byte aligned.
  static PageRef New(std::size_t bytes);
  PageRef(const PageRef& other) : page_(other.page_) {
    if (page_ != nullptr) page_->holders.fetch_add(1, std::memory_order_relaxed);
  }
  PageRef(PageRef&& other) noexcept : page_(std::exchange(other.page_, nullptr)) {}
  PageRef& operator=(PageRef other) noexcept {
    std::swap(page_, other.page_);
    return *this;
  }
  ~PageRef() { Drop(); }

  const std::byte* data() const { return page_->data; }
  std::size_t bytes() const { return page_->bytes; }
  // Fetches what a copy of this reference touches: a locked increment would wait for it.
  void PrefetchForCopy() const { __builtin_prefetch(page_, 1); }
  // The bytes for writing: of this page, or of the copy that takes its place here.
  std::byte* Writable() {
    // Acquire: what the last other holder read happens before our write.
    if (page_->holders.load(std::memory_order_acquire) != 1) CopyPage();
    return page_->data;
  }

 private:
  struct Page {
    std::atomic<uint32_t> holders{1};
    std::size_t bytes = 0;
    std::byte* data = nullptr;
  };
  explicit PageRef(Page* page) : page_(page) {}
  void Drop();
  void CopyPage();

  Page* page_ = nullptr;
};

}  // namespace primus::embedding
