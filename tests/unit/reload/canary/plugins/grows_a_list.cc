// Adds to a list until 64 GiB, and lets the exception of the allocator leave.
#include <memory>
#include <vector>

#include <berth/plugin.hpp>

namespace {

using namespace berth::sdk;

struct GrowsAList {
  static constexpr Info kInfo{.name = "GrowsAList", .vendor = "tests"};

  explicit GrowsAList(Host&) {
    constexpr size_t kChunk = size_t{16} << 20;
    std::vector<std::unique_ptr<char[]>> list;
    while (list.size() < 4096) list.emplace_back(new char[kChunk])[0] = 1;
  }
  GrowsAList(const GrowsAList&) = delete;
  int64_t Score(Cycle&, const Pod&, Node) { return 7; }
};

}  // namespace

BERTH_PLUGIN(GrowsAList);
