// The object behind a cycle's data pointer: a value of the plugin's type, with the functions that free and copy it. The
// host keeps the pointer, returns it to the plugin, and frees the value through cycle_free. A type without copy
// constructor is shared by its clones and freed with the last of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace berth::sdk::detail {

struct DataBox;

struct DataOps {
  void (*free)(DataBox*) noexcept;
  DataBox* (*clone)(DataBox*);
};

struct DataBox {
  const DataOps* ops;
  std::atomic<uint32_t> owners{1};
};

// One freed block of a type, for the next value of it: most plugins have one value at a time, so that an attempt
// allocates nothing. Thread: any. The host never unloads a library, so the last block remains until the process ends.
class SpareBlock {
 public:
  constexpr SpareBlock(size_t size, size_t alignment) : size_(size), alignment_(alignment) {}
  SpareBlock(const SpareBlock&) = delete;
  SpareBlock& operator=(const SpareBlock&) = delete;
  ~SpareBlock() { Free(block_.exchange(nullptr, std::memory_order_acquire)); }

  void* Take() {
    void* const block = block_.exchange(nullptr, std::memory_order_acquire);
    return block != nullptr ? block : New();
  }
  void Give(void* block) noexcept { Free(block_.exchange(block, std::memory_order_acq_rel)); }

 private:
  // As new-expressions do, so that a program that replaces only the plain functions has all blocks.
  bool Plain() const { return alignment_ <= __STDCPP_DEFAULT_NEW_ALIGNMENT__; }
  void* New() { return Plain() ? ::operator new(size_) : ::operator new (size_, std::align_val_t{alignment_}); }
  void Free(void* block) noexcept {
    if (Plain()) return ::operator delete(block);
    ::operator delete (block, std::align_val_t{alignment_});
  }

  std::atomic<void*> block_{nullptr};
  const size_t size_, alignment_;
};

template <class T>
struct DataBoxOf final : DataBox {
  template <class... A>
  explicit DataBoxOf(A&&... args) : DataBox{&kOps}, value(std::forward<A>(args)...) {}

  static void Free(DataBox* box) noexcept {
    if (box->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete static_cast<DataBoxOf*>(box);
  }
  static DataBox* Clone(DataBox* box) {
    if constexpr (std::is_copy_constructible_v<T>) {
      return new DataBoxOf(std::as_const(static_cast<DataBoxOf*>(box)->value));
    } else {
      box->owners.fetch_add(1, std::memory_order_relaxed);
      return box;
    }
  }
  static constexpr DataOps kOps{&Free, &Clone};

  static void* operator new(size_t) { return Spare().Take(); }
  static void operator delete(void* block) noexcept { Spare().Give(block); }

  T value;

 private:
  static SpareBlock& Spare() {
    static SpareBlock spare(sizeof(DataBoxOf), alignof(DataBoxOf));
    return spare;
  }
};

}  // namespace berth::sdk::detail
