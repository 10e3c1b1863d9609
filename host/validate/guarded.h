// Memory whose neighbours cannot be touched: whoever reads or writes behind it (or before it) faults there and then.
// Thread: as a vector. Ownership: its pages.
#pragma once

#include <cstddef>
#include <utility>

namespace berth::validate {

class Guarded {
 public:
  enum class Side { kEnd, kFront };  // which neighbour begins at the very next byte
  // Zeroed. bytes may be 0: then no byte may be touched. Throws std::bad_alloc.
  explicit Guarded(size_t bytes, Side side = Side::kEnd);
  Guarded(Guarded&& other) noexcept
      : pages_(std::exchange(other.pages_, nullptr)), mapped_(other.mapped_), data_(other.data_) {}
  Guarded& operator=(Guarded&&) = delete;
  ~Guarded();

  void* data() const { return data_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  // From now on writing faults as well.
  void Seal();

 private:
  char* pages_;
  size_t mapped_;
  void* data_;
};

}  // namespace berth::validate
