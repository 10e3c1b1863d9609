#include "cmd/berthctl/validate/guarded.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace berth::validate {
namespace {

size_t PageSize() {
  static const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

Guarded::Guarded(size_t bytes, Side side) {
  const size_t page = PageSize(), used = (bytes + page - 1) / page * page;
  mapped_ = used + 2 * page;  // an inaccessible page on both sides
  void* mapped = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  pages_ = static_cast<char*>(mapped);
  if (used > 0 && mprotect(pages_ + page, used, PROT_READ | PROT_WRITE) != 0) {
    munmap(pages_, mapped_);
    throw std::bad_alloc();
  }
  data_ = side == Side::kFront ? pages_ + page : pages_ + page + used - bytes;
}

Guarded::~Guarded() {
  if (pages_ != nullptr) munmap(pages_, mapped_);
}

void Guarded::Seal() {
  const size_t page = PageSize();
  if (mapped_ > 2 * page) mprotect(pages_ + page, mapped_ - 2 * page, PROT_READ);
}

}  // namespace berth::validate
