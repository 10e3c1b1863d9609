// A vector that gets a new size, and memory for no more: std::vector::resize alone doubles the memory that it has. For
// tables with a cell for each row of the node cache, which grows by a quarter. Thread: as the vector.
#pragma once

#include <cstddef>
#include <vector>

namespace berth::base {

// fill: the value of new elements; none: T().
template <class T, class... Fill>
void ResizeExactly(std::vector<T>& vector, size_t size, const Fill&... fill) {
  vector.reserve(size);
  vector.resize(size, fill...);
}

}  // namespace berth::base
