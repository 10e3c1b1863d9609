// Memory behind the C structs of the fakes (shown_memory.hpp). Lists of records that may grow get a stride larger than
// the record, filled with junk, so that a test catches code that walks them with sizeof. The plugin reads the results
// of an Arena, so nobody writes to them later.
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
  // For records whose size is frozen, and for plain numbers and pointers.
  template <class T>
  berth_list Exact(const std::vector<T>& items) {
    return Copy<T>(items, sizeof(T));  // NOLINT(bugprone-sizeof-expression): a T may be a pointer
  }
  // For records that may grow.
  template <class T>
  berth_list Records(const std::vector<T>& items) {
    return Copy<T>(items, sizeof(T) + 2 * alignof(std::max_align_t));
  }
  template <class T>
  const T* Make(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return reinterpret_cast<const T*>(Take(&value, sizeof(T)));
  }
  // Copies the text and adds a NUL after it.
  berth_str Text(std::string_view text);
  // Frees everything. After this call, nobody may read the memory that the arena returned before.
  void Clear();

 private:
  const char* Take(const void* from, size_t bytes);
  template <class T>
  berth_list Copy(const std::vector<T>& items, size_t stride) {
    static_assert(std::is_trivially_copyable_v<T>);
    return CopyBytes(items.data(), items.size(), sizeof(T), stride);  // NOLINT(bugprone-sizeof-expression)
  }
  // Copies n records of `size` bytes.
  berth_list CopyBytes(const void* items, size_t n, size_t size, size_t stride);

  std::vector<ShownBytes> memory_;
};

// Returns the number of a block's content: two numbers are equal if and only if the texts are equal.
uint32_t ContentOf(std::string_view kind, const std::string& content);

}  // namespace berth::sdk::testing
