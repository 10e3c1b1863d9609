#include "scheduler/cache/column_store.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace berth::cache {

ColumnStore::Handle ColumnStore::Open(uint32_t cell_bytes) {
  const auto closed =
      std::find_if(closed_.begin(), closed_.end(), [&](Handle h) { return columns_[h].cell_bytes == cell_bytes; });
  if (closed != closed_.end()) {
    const Handle again = *closed;
    closed_.erase(closed);
    if (capacity_ != 0) std::memset(memory_.get() + columns_[again].offset, 0, BytesFor(columns_[again], capacity_));
    return again;
  }
  const size_t bytes = size_t{cell_bytes} * capacity_;
  if (used_ + bytes > size_) Relayout(capacity_, std::max(used_ + bytes, size_ * 2));
  columns_.push_back({used_, cell_bytes});
  if (bytes != 0) std::memset(memory_.get() + used_, 0, bytes);
  used_ += bytes;  // capacity_ is a multiple of 64, so the next column stays aligned
  return static_cast<Handle>(columns_.size() - 1);
}

void ColumnStore::Close(Handle h) { closed_.push_back(h); }

void ColumnStore::Reserve(uint32_t rows) {
  if (rows <= capacity_) return;
  const uint32_t capacity = (rows + 63) / 64 * 64;
  size_t bytes = 0;
  for (const Column& c : columns_) bytes += BytesFor(c, capacity);
  Relayout(capacity, bytes + bytes / 4 + 4096);
}

void ColumnStore::Relayout(uint32_t capacity, size_t bytes_wanted) {
  const size_t size = (bytes_wanted + kAlign - 1) / kAlign * kAlign;
  std::unique_ptr<std::byte, Free> memory(static_cast<std::byte*>(std::aligned_alloc(kAlign, std::max(size, kAlign))));
  if (!memory) throw std::bad_alloc();
  size_t offset = 0;
  for (Column& c : columns_) {
    const size_t old_bytes = BytesFor(c, capacity_), new_bytes = BytesFor(c, capacity);
    if (old_bytes != 0) std::memcpy(memory.get() + offset, memory_.get() + c.offset, old_bytes);
    std::memset(memory.get() + offset + old_bytes, 0, new_bytes - old_bytes);
    c.offset = offset;
    offset += new_bytes;
  }
  memory_ = std::move(memory);
  used_ = offset;
  size_ = std::max(size, kAlign);
  capacity_ = capacity;
}

}  // namespace berth::cache
