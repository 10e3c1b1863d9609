// Memory behind the C structs of the fakes. Lists of records that may grow get a stride larger than the record, filled
// with junk, so that code which walks them with sizeof is caught.
#pragma once

#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "berth/testing/strings.hpp"

namespace berth::sdk::testing {

class Arena {
 public:
  // Records whose size is frozen, and plain numbers and pointers.
  template <class T>
  berth_list Exact(const std::vector<T>& items) {
    return Copy(items, sizeof(T));
  }
  // Records that may grow.
  template <class T>
  berth_list Records(const std::vector<T>& items) {
    return Copy(items, sizeof(T) + 2 * alignof(std::max_align_t));
  }
  template <class T>
  T* Make(const T& value) {
    auto owned = std::make_shared<T>(value);
    T* raw = owned.get();
    memory_.push_back(std::move(owned));
    return raw;
  }
  berth_str Text(std::string_view text) { return Borrow(*Make(std::string(text))); }

 private:
  template <class T>
  berth_list Copy(const std::vector<T>& items, size_t stride) {
    if (items.empty()) return {nullptr, 0, static_cast<uint32_t>(stride)};
    auto bytes = std::make_shared<std::vector<std::max_align_t>>(
        (items.size() * stride + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
    char* at = reinterpret_cast<char*>(bytes->data());
    std::memset(at, 0xa5, bytes->size() * sizeof(std::max_align_t));
    for (size_t i = 0; i < items.size(); ++i) new (at + i * stride) T(items[i]);
    memory_.push_back(bytes);
    return {at, static_cast<uint32_t>(items.size()), static_cast<uint32_t>(stride)};
  }

  std::vector<std::shared_ptr<void>> memory_;
};

// The number that stands for a block's content: equal numbers <=> equal texts.
inline uint32_t ContentOf(std::string_view kind, const std::string& content) {
  return IdOf(std::string(kind) + "\x01" + content);
}

}  // namespace berth::sdk::testing
