// The memory of data that the fakes pass to a plugin: the heap or, to detect writes of the plugin, other memory that is
// mapped at two addresses: the fakes write at one, and the plugin gets the other, which is read-only.
// Thread: any, except that Installed() is set before the first fake is made.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace berth::sdk::testing {

class ShownMemory {
 public:
  struct Place {
    void* write = nullptr;
    const void* show = nullptr;  // the same bytes
  };
  virtual ~ShownMemory() = default;
  // Aligned for every type. Throws std::bad_alloc.
  virtual Place Take(size_t bytes) = 0;
  virtual void GiveBack(const Place& place, size_t bytes) = 0;

  // Null: the heap.
  static ShownMemory*& Installed() {
    static ShownMemory* installed = nullptr;
    return installed;
  }
};

// Some of that memory, given back at the end.
class ShownBytes {
 public:
  explicit ShownBytes(size_t bytes) : from_(ShownMemory::Installed()), bytes_(bytes) {
    if (from_ != nullptr) {
      place_ = from_->Take(bytes);
    } else {
      place_.write = ::operator new(bytes);
      place_.show = place_.write;
    }
  }
  ShownBytes(ShownBytes&& other) noexcept
      : from_(other.from_), bytes_(other.bytes_), place_(std::exchange(other.place_, {})) {}
  ShownBytes& operator=(ShownBytes&&) = delete;
  ~ShownBytes() {
    if (place_.write == nullptr) return;
    if (from_ != nullptr) {
      from_->GiveBack(place_, bytes_);
    } else {
      ::operator delete(place_.write);
    }
  }
  char* write() const { return static_cast<char*>(place_.write); }
  const char* show() const { return static_cast<const char*>(place_.show); }

 private:
  ShownMemory* from_;
  size_t bytes_;
  ShownMemory::Place place_;
};

}  // namespace berth::sdk::testing
