#include "berth/testing/shown_memory.hpp"

#include <new>
#include <utility>

namespace berth::sdk::testing {

ShownMemory*& ShownMemory::Installed() {
  static ShownMemory* installed = nullptr;
  return installed;
}

ShownBytes::ShownBytes(size_t bytes) : from_(ShownMemory::Installed()), bytes_(bytes) {
  if (from_ != nullptr) {
    place_ = from_->Take(bytes);
  } else {
    place_.write = ::operator new(bytes);
    place_.show = place_.write;
  }
}

ShownBytes::ShownBytes(ShownBytes&& other) noexcept
    : from_(other.from_), bytes_(other.bytes_), place_(std::exchange(other.place_, {})) {}

ShownBytes::~ShownBytes() {
  if (place_.write == nullptr) return;
  if (from_ != nullptr) {
    from_->GiveBack(place_, bytes_);
  } else {
    ::operator delete(place_.write);
  }
}

char* ShownBytes::write() const { return static_cast<char*>(place_.write); }

const char* ShownBytes::show() const { return static_cast<const char*>(place_.show); }

}  // namespace berth::sdk::testing
