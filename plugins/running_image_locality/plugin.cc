// RunningImageLocality: prefers nodes that run pods with the new pod's images. A build pod, for example, runs where its
// image is in use, so no node needs to pull it. The score is the percentage, rounded down, of the pod's different
// images that some pod on the node uses.
#include <berth/plugin.hpp>

#include <algorithm>
#include <vector>

#include "../common/image_names.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class RunningImageLocality {
 public:
  static constexpr Info kInfo{.name = "RunningImageLocality", .vendor = "berth.dev"};
  static constexpr Reuse kScoreReuse{.pod = BERTH_POD_IMAGES, .row = BERTH_ROW_PODS, .total = true};

  explicit RunningImageLocality(Host& host) : host_(host) {}

  Status Score(Cycle& cycle, const Pod& pod, Rows rows, std::span<int64_t> out) {
    std::vector<Id> wanted = ImagesOf(pod);
    if (wanted.empty()) {
      out[0] = 0;
      return Status::Uniform();
    }
    const auto share = [&](size_t found) { return static_cast<int64_t>(100 * found / wanted.size()); };
    std::vector<bool> found(wanted.size());
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      std::fill(found.begin(), found.end(), false);
      for (const Pod& running : cycle.snap().Pods(row)) MarkImages(running, wanted, found);
      out[i] = share(static_cast<size_t>(std::count(found.begin(), found.end(), true)));
    });
    for (const Id id : wanted) host_.Drop(id);
    return Status::Ok();
  }

 private:
  template <class Fn>
  static void EachImage(const Pod& pod, Fn&& fn) {
    const berth_images& images = pod.images();
    for (const berth_list* list : {&images.init_containers, &images.containers}) {
      for (const Id reference : List<Id>(*list)) fn(reference);
    }
  }

  // The pod's different images by complete name; the caller owns the ids.
  std::vector<Id> ImagesOf(const Pod& pod) const {
    std::vector<Id> ids;
    EachImage(pod, [&](Id reference) {
      const ImageName name(host_, reference);
      if (std::find(ids.begin(), ids.end(), name.id()) != ids.end()) return;
      host_.Keep(name.id());
      ids.push_back(name.id());
    });
    return ids;
  }

  void MarkImages(const Pod& running, const std::vector<Id>& wanted, std::vector<bool>& found) const {
    EachImage(running, [&](Id reference) {
      const ImageName name(host_, reference);
      const auto at = std::find(wanted.begin(), wanted.end(), name.id());
      if (at != wanted.end()) found[static_cast<size_t>(at - wanted.begin())] = true;
    });
  }

  Host& host_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::RunningImageLocality);
