// Which image names are on which rows, and how big the first node to report a name said it is (core.md 6.2).
// Thread: scheduling thread.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "api/node.h"
#include "base/bitmap.h"

namespace berth::cache {

struct ImageState {
  int64_t bytes = 0;
  uint32_t n_nodes = 0;
  base::Bitmap rows;
};

class ImageIndex {
 public:
  explicit ImageIndex(api::Vocabulary& words) : words_(words) {}
  ~ImageIndex();
  ImageIndex(const ImageIndex&) = delete;

  void Reserve(uint32_t rows);  // capacity in rows of every bitmap
  void Add(uint32_t row, const api::Node& node);
  void Remove(uint32_t row, const api::Node& node);
  // Would taking the node off and putting it back change anything? kube-scheduler does that at every update of a node:
  // the last node to have an image then says how big it is.
  bool IsStale(const api::Node& node) const;
  const ImageState* Find(base::Id name) const;
  const std::unordered_map<base::Id, ImageState>& states() const { return states_; }

 private:
  api::Vocabulary& words_;
  std::unordered_map<base::Id, ImageState> states_;  // owns one reference of each key
  uint32_t capacity_ = 0;
};

}  // namespace berth::cache
