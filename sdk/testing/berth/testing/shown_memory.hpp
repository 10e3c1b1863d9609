// The memory of data that the fakes pass to a plugin: the heap, or memory that is mapped at two addresses, to detect
// writes of the plugin. The fakes write at one address, and the plugin gets the other one, which is read-only.
// Thread: any, except that Installed() is set before the first fake is made.
#pragma once

#include <cstddef>

namespace berth::sdk::testing {

class ShownMemory {
 public:
  struct Place {
    void* write = nullptr;
    const void* show = nullptr;  // the same bytes
  };
  virtual ~ShownMemory() = default;
  // Takes memory that is aligned for every type. Throws std::bad_alloc.
  virtual Place Take(size_t bytes) = 0;
  virtual void GiveBack(const Place& place, size_t bytes) = 0;

  // The memory that the fakes use; null: the heap.
  static ShownMemory*& Installed();
};

// A part of that memory; the destructor gives it back.
class ShownBytes {
 public:
  explicit ShownBytes(size_t bytes);
  ShownBytes(ShownBytes&& other) noexcept;
  ShownBytes& operator=(ShownBytes&&) = delete;
  ~ShownBytes();
  char* write() const;
  const char* show() const;

 private:
  ShownMemory* from_;
  size_t bytes_;
  ShownMemory::Place place_;
};

}  // namespace berth::sdk::testing
