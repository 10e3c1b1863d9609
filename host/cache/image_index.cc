#include "cache/image_index.h"

namespace berth::cache {

ImageIndex::~ImageIndex() {
  for (const auto& [name, state] : states_) words_.ids.Drop(name);
}

void ImageIndex::Reserve(uint32_t rows) {
  if (rows <= capacity_) return;
  capacity_ = rows;
  for (auto& [name, state] : states_) state.rows.Resize(rows);
}

void ImageIndex::Add(uint32_t row, const api::Node& node) {
  for (const api::NodeImage& image : node.images) {
    for (base::Id name : image.names) {
      auto [it, fresh] = states_.try_emplace(name);
      ImageState& state = it->second;
      if (fresh) {
        words_.ids.Keep(name);
        state.bytes = image.bytes;
        state.rows.Resize(capacity_);
      }
      if (state.rows.Test(row)) continue;  // one node may list a name twice
      state.rows.Set(row);
      ++state.n_nodes;
    }
  }
}

void ImageIndex::Remove(uint32_t row, const api::Node& node) {
  for (const api::NodeImage& image : node.images) {
    for (base::Id name : image.names) {
      auto it = states_.find(name);
      if (it == states_.end() || !it->second.rows.Test(row)) continue;
      it->second.rows.Clear(row);
      if (--it->second.n_nodes == 0) {
        states_.erase(it);
        words_.ids.Drop(name);
      }
    }
  }
}

bool ImageIndex::IsStale(const api::Node& node) const {
  for (const api::NodeImage& image : node.images) {
    for (base::Id name : image.names) {
      const ImageState* state = Find(name);
      if (state != nullptr && state->n_nodes == 1 && state->bytes != image.bytes) return true;
    }
  }
  return false;
}

const ImageState* ImageIndex::Find(base::Id name) const {
  auto it = states_.find(name);
  return it == states_.end() ? nullptr : &it->second;
}

}  // namespace berth::cache
