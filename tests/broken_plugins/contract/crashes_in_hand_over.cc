// BP-142: the successor uses a page of its predecessor, and the predecessor unmaps the page at its end.
#include <sys/mman.h>

#include <berth/plugin.hpp>

namespace {

using namespace berth::sdk;

class CrashesInHandOver {
 public:
  static constexpr Info kInfo{.name = "CrashesInHandOver", .vendor = "tests"};

  explicit CrashesInHandOver(Host&)
      : own_(mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    page_ = static_cast<int64_t*>(own_);
    *page_ = 7;
  }
  CrashesInHandOver(Host&, CrashesInHandOver& before) : page_(before.page_) {}
  CrashesInHandOver(const CrashesInHandOver&) = delete;
  ~CrashesInHandOver() {
    if (own_ != nullptr) munmap(own_, 1);
  }
  int64_t Score(Cycle&, const Pod&, Node) { return *page_; }

 private:
  void* own_ = nullptr;
  int64_t* page_ = nullptr;
};

}  // namespace

BERTH_PLUGIN(CrashesInHandOver);
