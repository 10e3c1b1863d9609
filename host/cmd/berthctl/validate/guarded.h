// Memory whose neighboring page cannot be accessed: a read or write behind it (or before it) faults immediately.
// Thread: as a vector. Ownership: its pages.
#pragma once

#include <cstddef>
#include <utility>

namespace berth::validate {

class Guarded {
 public:
  enum class Side { kEnd, kFront };  // where the inaccessible page is, directly next to the memory
  // Zeroed. bytes may be 0: then no byte can be accessed. Throws std::bad_alloc.
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
  // From now on a write to the memory faults.
  void Seal();

 private:
  char* pages_;
  size_t mapped_;
  void* data_;
};

}  // namespace berth::validate
