// Memory behind the C structs of the fakes (shown_memory.hpp). Lists of records that may grow get a stride larger than
// the record, filled with junk, so that code which walks them with sizeof is caught. What an Arena answers is what the
// plugin is shown: nobody writes there any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "berth/testing/shown_memory.hpp"
#include "berth/testing/strings.hpp"

namespace berth::sdk::testing {

class Arena {
 public:
  Arena();
  Arena(Arena&& other) noexcept;
  ~Arena();
  // Records whose size is frozen, and plain numbers and pointers.
  template <class T>
  berth_list Exact(const std::vector<T>& items) {
    return Copy<T>(items, sizeof(T));  // NOLINT(bugprone-sizeof-expression): a T may be a pointer
  }
  // Records that may grow.
  template <class T>
  berth_list Records(const std::vector<T>& items) {
    return Copy<T>(items, sizeof(T) + 2 * alignof(std::max_align_t));
  }
  template <class T>
  const T* Make(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return reinterpret_cast<const T*>(Take(&value, sizeof(T)));
  }
  // With a NUL behind it.
  berth_str Text(std::string_view text);
  // Nothing that was shown may be looked at any more.
  void Clear();

 private:
  const char* Take(const void* from, size_t bytes);
  template <class T>
  berth_list Copy(const std::vector<T>& items, size_t stride) {
    static_assert(std::is_trivially_copyable_v<T>);
    return CopyBytes(items.data(), items.size(), sizeof(T), stride);  // NOLINT(bugprone-sizeof-expression)
  }
  // n records of `size` bytes.
  berth_list CopyBytes(const void* items, size_t n, size_t size, size_t stride);

  std::vector<ShownBytes> memory_;
};

// The number that stands for a block's content: equal numbers <=> equal texts.
uint32_t ContentOf(std::string_view kind, const std::string& content);

}  // namespace berth::sdk::testing
