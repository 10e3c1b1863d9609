// The object behind a cycle's data pointer: a value of the plugin's type, with the functions that free and copy it. The
// host keeps the pointer, returns it to the plugin, and frees the value through cycle_free. A type without copy
// constructor is shared by its clones and freed with the last of them.
#pragma once

#include <atomic>
#include <cstdint>
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

  T value;
};

}  // namespace berth::sdk::detail
