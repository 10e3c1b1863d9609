// BP-142: crashes when it creates its successor; all other calls work.
#include <signal.h>

#include <berth/plugin.hpp>

namespace {

using namespace berth::sdk;

struct CrashesInSuccessor {
  static constexpr Info kInfo{.name = "CrashesInSuccessor", .vendor = "tests"};

  explicit CrashesInSuccessor(Host&) {}
  CrashesInSuccessor(Host&, CrashesInSuccessor&) { raise(SIGSEGV); }
  CrashesInSuccessor(const CrashesInSuccessor&) = delete;
  int64_t Score(Cycle&, const Pod&, Node) { return 7; }
};

}  // namespace

BERTH_PLUGIN(CrashesInSuccessor);
