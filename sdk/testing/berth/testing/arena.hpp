// Memory behind the C structs of the fakes (shown_memory.hpp). Lists of records that may grow get a stride larger than
// the record, filled with junk, so that code which walks them with sizeof is caught. What an Arena answers is what the
// plugin is shown: nobody writes there any more.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "berth/testing/shown_memory.hpp"
#include "berth/testing/strings.hpp"

namespace berth::sdk::testing {

class Arena {
 public:
  // Records whose size is frozen, and plain numbers and pointers.
  template <class T>
  berth_list Exact(const std::vector<T>& items) {
    return Copy(items, sizeof(T));  // NOLINT(bugprone-sizeof-expression): a T may be a pointer
  }
  // Records that may grow.
  template <class T>
  berth_list Records(const std::vector<T>& items) {
    return Copy(items, sizeof(T) + 2 * alignof(std::max_align_t));
  }
  template <class T>
  const T* Make(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return reinterpret_cast<const T*>(Take(&value, sizeof(T)));
  }
  // With a NUL behind it.
  berth_str Text(std::string_view text) {
    const std::string ended(text);
    return {Take(ended.c_str(), ended.size() + 1), ended.size()};
  }
  // Nothing that was shown may be looked at any more.
  void Clear() { memory_.clear(); }

 private:
  const char* Take(const void* from, size_t bytes) {
    const ShownBytes& taken = memory_.emplace_back(bytes);
    std::memcpy(taken.write(), from, bytes);
    return taken.show();
  }
  template <class T>
  berth_list Copy(const std::vector<T>& items, size_t stride) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (items.empty()) return {nullptr, 0, static_cast<uint32_t>(stride)};
    const ShownBytes& taken = memory_.emplace_back(items.size() * stride);
    std::memset(taken.write(), 0xa5, items.size() * stride);
    for (size_t i = 0; i < items.size(); ++i)
      std::memcpy(taken.write() + i * stride, &items[i], sizeof(T));  // NOLINT(bugprone-sizeof-expression)
    return {taken.show(), static_cast<uint32_t>(items.size()), static_cast<uint32_t>(stride)};
  }

  std::vector<ShownBytes> memory_;
};

// The number that stands for a block's content: equal numbers <=> equal texts.
inline uint32_t ContentOf(std::string_view kind, const std::string& content) {
  return IdOf(std::string(kind) + "\x01" + content);
}

}  // namespace berth::sdk::testing
