// ImageLocality: prefers nodes that already have the pod's images. Source:
// pkg/scheduler/framework/plugins/imagelocality/image_locality.go.
#include <berth/plugin.hpp>

#include <algorithm>
#include <bit>

#include "../common/go_math.h"
#include "../common/image_names.h"
#include "threshold.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class ImageLocality {
 public:
  static constexpr Info kInfo{.name = "ImageLocality", .vendor = "berth.dev"};
  static constexpr Reuse kScoreReuse{.pod = BERTH_POD_IMAGES,
                                     .row = BERTH_ROW_IMAGES,
                                     .cluster = BERTH_CLUSTER_NODES | BERTH_CLUSTER_IMAGES,
                                     .total = true};

  explicit ImageLocality(Host& host) : host_(host) {}

  Status Score(Cycle& cycle, const Pod& pod, Rows rows, std::span<int64_t> out) {
    const berth_images& images = pod.images();
    const int64_t containers = images.init_containers.n + int64_t{images.containers.n};
    bool any = false;
    for (const berth_list* list : {&images.init_containers, &images.containers, &images.volumes}) {
      for (const Id reference : List<Id>(*list)) {
        const ImageName name(host_, reference);
        const auto image = cycle.snap().Image(name.id());
        if (!image) continue;
        if (!any) std::fill(out.begin(), out.end(), 0);
        any = true;
        Add(rows, *image, image_locality::Scaled(image->bytes, image->n_nodes, cycle.snap().nodes()), out);
      }
    }
    if (!any) {
      out[0] = image_locality::ScoreOf(0, containers);
      return Status::Uniform();
    }
    for (int64_t& cell : out) cell = image_locality::ScoreOf(cell, containers);
    return Status::Ok();
  }

 private:
  // Adds the bytes to the cells of rows with the image.
  static void Add(const Rows& rows, const berth_image& image, int64_t bytes, std::span<int64_t> out) {
    const auto has = [&](uint32_t row) { return (image.nodes[row >> 6] >> (row & 63) & 1) != 0; };
    if (!rows.dense()) {
      rows.ForEach([&](uint32_t i, uint32_t row) {
        if (has(row)) out[i] = WrapAdd(out[i], bytes);
      });
      return;
    }
    const uint64_t first = rows.first(), end = first + rows.size();
    for (uint64_t word = first >> 6; word << 6 < end; ++word) {
      for (uint64_t bits = image.nodes[word]; bits != 0; bits &= bits - 1) {
        const uint64_t row = (word << 6) + static_cast<uint64_t>(std::countr_zero(bits));
        if (row >= first && row < end) out[row - first] = WrapAdd(out[row - first], bytes);
      }
    }
  }

  Host& host_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::ImageLocality);
