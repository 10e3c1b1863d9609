// Columns with one cell per row, in one growable block of memory. A column is an offset, so growth only moves bytes,
// and the block can be shared read-only with another process. Every column is 64-byte aligned. Thread: owned by the
// scheduling thread; other threads may read between its changes. Open and Reserve invalidate pointers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace berth::cache {

// Whether a double represents the integer exactly.
constexpr bool IsExact(int64_t v) { return v > -(int64_t{1} << 53) && v < int64_t{1} << 53; }

class ColumnStore {
 public:
  using Handle = uint32_t;

  // Opens a column of zeroed cells and reuses a closed one if there is one. cell_bytes: 1, 4, or 8.
  Handle Open(uint32_t cell_bytes);
  void Close(Handle h);
  // Makes space for at least this many rows. New cells are zero. The capacity is a multiple of 64 and never shrinks.
  void Reserve(uint32_t rows);
  uint32_t capacity() const { return capacity_; }
  size_t n_columns() const { return columns_.size() - closed_.size(); }
  size_t bytes() const { return size_; }  // memory allocated

  template <class T>
  T* Cells(Handle h) {
    return reinterpret_cast<T*>(memory_.get() + columns_[h].offset);
  }
  template <class T>
  const T* Cells(Handle h) const {
    return reinterpret_cast<const T*>(memory_.get() + columns_[h].offset);
  }

 private:
  struct Column {
    size_t offset;
    uint32_t cell_bytes;
  };
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  static constexpr size_t kAlign = 64;
  void Relayout(uint32_t capacity, size_t bytes_wanted);
  size_t BytesFor(const Column& c, uint32_t capacity) const { return size_t{c.cell_bytes} * capacity; }

  std::vector<Column> columns_;
  std::vector<Handle> closed_;
  std::unique_ptr<std::byte, Free> memory_;
  size_t used_ = 0, size_ = 0;
  uint32_t capacity_ = 0;
};

}  // namespace berth::cache
