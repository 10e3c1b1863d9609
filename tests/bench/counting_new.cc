#include "counting_new.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<uint64_t> allocations{0}, bytes{0};

void Count(size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  bytes.fetch_add(size, std::memory_order_relaxed);
}
}  // namespace

void* operator new(size_t size) {
  Count(size);
  if (void* memory = std::malloc(size != 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void* operator new(size_t size, std::align_val_t alignment) {
  Count(size);
  const size_t unit = static_cast<size_t>(alignment), units = size / unit + 1;  // the size must be a multiple
  if (void* memory = std::aligned_alloc(unit, units * unit)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }

namespace berth::bench {
uint64_t Allocations() { return allocations.load(std::memory_order_relaxed); }
uint64_t AllocatedBytes() { return bytes.load(std::memory_order_relaxed); }
}  // namespace berth::bench
