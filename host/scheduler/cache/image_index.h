// The image names of each row, and the size of each image as the first node with it reported.
// Source: pkg/scheduler/backend/cache/cache.go addNodeImageStates, removeNodeImageStates. Thread: the scheduling
// thread.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "api/node.h"
#include "base/bitmap.h"
#include "scheduler/cache/row_set.h"
#include "scheduler/cache/shown_in_cycle.h"

namespace berth::cache {

struct ImageState {
  int64_t bytes = 0;
  RowSet rows;
};

class ImageIndex {
 public:
  explicit ImageIndex(api::InternTables& intern) : intern_(intern) {}
  ~ImageIndex();
  ImageIndex(const ImageIndex&) = delete;

  void Reserve(uint32_t rows);  // capacity in rows
  void Add(uint32_t row, const api::Node& node);
  void Remove(uint32_t row, const api::Node& node);
  // Whether removing and adding the node again would change anything. kube-scheduler does so at every update of a node;
  // the last node with an image then determines its size.
  bool IsStale(const api::Node& node) const;
  const ImageState* Find(base::Id name) const;
  // One bit per row for a state that Find returned. Thread: any. Valid until the next BeginCycle or change of nodes.
  const uint64_t* NodesWith(base::Id name, const ImageState& state) const;
  void BeginCycle() { shown_.Clear(); }
  size_t row_bytes() const;  // memory of the sets of rows
  const std::unordered_map<base::Id, ImageState>& states() const { return states_; }

 private:
  api::InternTables& intern_;
  std::unordered_map<base::Id, ImageState> states_;  // owns one reference of each key
  mutable ShownInCycle<base::Bitmap> shown_;         // for images on few nodes
  uint32_t capacity_ = 0;
};

}  // namespace berth::cache
