// The score of a node from the bytes of its images. Source: calculatePriority and scaledImageScore of
// pkg/scheduler/framework/plugins/imagelocality/image_locality.go. Pure logic; thread: any.
#pragma once

#include <cstdint>

namespace plugins::image_locality {

inline constexpr int64_t kMegabyte = 1024 * 1024;
inline constexpr int64_t kMin = 23 * kMegabyte;                // less counts as 0
inline constexpr int64_t kMaxPerContainer = 1000 * kMegabyte;  // more counts as this

// bytes: of the images that the node has, each scaled. containers: the number of init containers and containers.
inline int64_t ScoreOf(int64_t bytes, int64_t containers) {
  const int64_t max = kMaxPerContainer * containers;
  if (bytes < kMin) {
    bytes = kMin;
  } else if (bytes > max) {
    bytes = max;
  }
  return 100 * (bytes - kMin) / (max - kMin);
}

// An image on more nodes counts more, so that a single node with the image does not attract every pod.
inline int64_t Scaled(int64_t bytes, uint32_t nodes_with_image, uint32_t nodes) {
  const double spread = static_cast<double>(nodes_with_image) / static_cast<double>(nodes);
  return static_cast<int64_t>(static_cast<double>(bytes) * spread);
}

}  // namespace plugins::image_locality
