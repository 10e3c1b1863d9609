// BP-142: crashes when it creates its successor; all other calls work.
#include <signal.h>

#include <berth/plugin.hpp>

namespace {

using namespace berth::sdk;

struct DiesOfItsHeir {
  static constexpr Info kInfo{.name = "DiesOfItsHeir", .vendor = "tests"};

  explicit DiesOfItsHeir(Host&) {}
  DiesOfItsHeir(Host&, DiesOfItsHeir&) { raise(SIGSEGV); }
  DiesOfItsHeir(const DiesOfItsHeir&) = delete;
  int64_t Score(Cycle&, const Pod&, Node) { return 7; }
};

}  // namespace

BERTH_PLUGIN(DiesOfItsHeir);
