// Which image names are on which rows, and how big the first node to report a name said it is (core.md 6.2).
// Thread: scheduling thread.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "api/node.h"
#include "base/bitmap.h"
#include "cache/row_set.h"
#include "cache/shown_in_cycle.h"

namespace berth::cache {

struct ImageState {
  int64_t bytes = 0;
  RowSet rows;
};

class ImageIndex {
 public:
  explicit ImageIndex(api::Vocabulary& words) : words_(words) {}
  ~ImageIndex();
  ImageIndex(const ImageIndex&) = delete;

  void Reserve(uint32_t rows);  // capacity in rows
  void Add(uint32_t row, const api::Node& node);
  void Remove(uint32_t row, const api::Node& node);
  // Would taking the node off and putting it back change anything? kube-scheduler does that at every update of a node:
  // the last node to have an image then says how big it is.
  bool IsStale(const api::Node& node) const;
  const ImageState* Find(base::Id name) const;
  // A bit per row for a state that Find gave. From any thread; good until the next BeginCycle or change of nodes.
  const uint64_t* NodesWith(base::Id name, const ImageState& state) const;
  void BeginCycle() { shown_.Clear(); }
  size_t row_bytes() const;  // memory that says which rows have which image
  const std::unordered_map<base::Id, ImageState>& states() const { return states_; }

 private:
  api::Vocabulary& words_;
  std::unordered_map<base::Id, ImageState> states_;  // owns one reference of each key
  mutable ShownInCycle<base::Bitmap> shown_;         // of images that few nodes have
  uint32_t capacity_ = 0;
};

}  // namespace berth::cache
