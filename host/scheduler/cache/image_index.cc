#include "scheduler/cache/image_index.h"

namespace berth::cache {

ImageIndex::~ImageIndex() {
  for (const auto& [name, state] : states_) intern_.ids.Drop(name);
}

void ImageIndex::Reserve(uint32_t rows) {
  if (rows <= capacity_) return;
  shown_.Clear();
  capacity_ = rows;
  for (auto& [name, state] : states_) state.rows.Reserve(rows);
}

void ImageIndex::Add(uint32_t row, const api::Node& node) {
  shown_.Clear();
  for (const api::NodeImage& image : node.images) {
    for (base::Id name : image.names) {
      auto [it, fresh] = states_.try_emplace(name);
      if (fresh) {
        intern_.ids.Keep(name);
        it->second.bytes = image.bytes;
      }
      it->second.rows.Add(row, capacity_);  // a node may list a name twice
    }
  }
}

void ImageIndex::Remove(uint32_t row, const api::Node& node) {
  shown_.Clear();
  for (const api::NodeImage& image : node.images) {
    for (base::Id name : image.names) {
      auto it = states_.find(name);
      if (it == states_.end() || !it->second.rows.Remove(row) || it->second.rows.size() != 0) continue;
      states_.erase(it);
      intern_.ids.Drop(name);
    }
  }
}

const uint64_t* ImageIndex::NodesWith(base::Id name, const ImageState& state) const {
  if (const uint64_t* words = state.rows.words()) return words;
  const base::Bitmap& shown = shown_.FindOrMake(name, [&](base::Bitmap& bits) {
    bits.Resize(capacity_);
    bits.Reset();
    state.rows.ForEach([&](uint32_t row) { bits.Set(row); });
  });
  return shown.words();
}

size_t ImageIndex::row_bytes() const {
  size_t bytes = 0;
  for (const auto& [name, state] : states_) bytes += state.rows.bytes();
  return bytes;
}

bool ImageIndex::IsStale(const api::Node& node) const {
  for (const api::NodeImage& image : node.images) {
    for (base::Id name : image.names) {
      const ImageState* state = Find(name);
      if (state != nullptr && state->rows.size() == 1 && state->bytes != image.bytes) return true;
    }
  }
  return false;
}

const ImageState* ImageIndex::Find(base::Id name) const {
  auto it = states_.find(name);
  return it == states_.end() ? nullptr : &it->second;
}

}  // namespace berth::cache
