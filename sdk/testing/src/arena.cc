#include "berth/testing/arena.hpp"

#include <cstring>
#include <utility>

namespace berth::sdk::testing {

Arena::Arena() = default;

Arena::Arena(Arena&& other) noexcept : memory_(std::move(other.memory_)) {}

Arena::~Arena() = default;

berth_str Arena::Text(std::string_view text) {
  const std::string ended(text);
  return {Take(ended.c_str(), ended.size() + 1), ended.size()};
}

void Arena::Clear() { memory_.clear(); }

const char* Arena::Take(const void* from, size_t bytes) {
  const ShownBytes& taken = memory_.emplace_back(bytes);
  std::memcpy(taken.write(), from, bytes);
  return taken.show();
}

berth_list Arena::CopyBytes(const void* items, size_t n, size_t size, size_t stride) {
  if (n == 0) return {nullptr, 0, static_cast<uint32_t>(stride)};
  const ShownBytes& taken = memory_.emplace_back(n * stride);
  std::memset(taken.write(), 0xa5, n * stride);
  for (size_t i = 0; i < n; ++i) {
    std::memcpy(taken.write() + i * stride, static_cast<const char*>(items) + i * size, size);
  }
  return {taken.show(), static_cast<uint32_t>(n), static_cast<uint32_t>(stride)};
}

uint32_t ContentOf(std::string_view kind, const std::string& content) {
  return IdOf(std::string(kind) + "\x01" + content);
}

}  // namespace berth::sdk::testing
