#include "scheduler/decisions/column.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace berth::decisions {
namespace {

uint8_t WidthFor(uint64_t range) {
  if (range == 0) return 0;
  if (range <= std::numeric_limits<uint8_t>::max()) return 1;
  if (range <= std::numeric_limits<uint16_t>::max()) return 2;
  return 8;
}

struct Layout {
  int64_t base;
  uint8_t width;
};

// Scores are small and not negative: one pass over their bits is enough, and any CPU does it for many at once.
template <class T>
Layout LayoutOf(std::span<const T> values) {
  T any = 0, all = -1;
  for (const T value : values) {
    any |= value;
    all &= value;
  }
  if (any == all) return {any, 0};
  if (any >= 0 && any <= std::numeric_limits<uint8_t>::max()) return {0, 1};
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  return {*least, WidthFor(static_cast<uint64_t>(*greatest) - static_cast<uint64_t>(*least))};
}

// Unsigned arithmetic: the difference of any two values fits.
template <class Difference, class T>
void Encode(std::span<const T> values, int64_t base, Chunk::Bytes& bytes) {
  const size_t n = values.size();
  bytes.resize(n * sizeof(Difference));
  Difference differences[kChunkRows];
  for (size_t i = 0; i < n; ++i) {
    differences[i] = static_cast<Difference>(static_cast<uint64_t>(int64_t{values[i]}) - static_cast<uint64_t>(base));
  }
  std::memcpy(bytes.data(), differences, n * sizeof(Difference));
}

template <class T>
uint64_t Decode(const Chunk::Bytes& bytes, uint32_t i) {
  T difference;
  std::memcpy(&difference, bytes.data() + i * sizeof(T), sizeof difference);
  return difference;
}

template <class T>
void EncodeAs(const Layout& layout, std::span<const T> values, Chunk::Bytes& bytes) {
  switch (layout.width) {
    case 1: return Encode<uint8_t>(values, layout.base, bytes);
    case 2: return Encode<uint16_t>(values, layout.base, bytes);
    case 8: return Encode<uint64_t>(values, layout.base, bytes);
    default: bytes.clear();
  }
}

}  // namespace

Chunk::Chunk(std::shared_ptr<MemoryMeter> meter, int64_t base_value, uint8_t value_width, const Bytes& values)
    : Metered(std::move(meter), sizeof(Chunk) + values.size()), base(base_value), width(value_width), bytes(values) {}

int64_t Chunk::At(uint32_t i) const {
  uint64_t difference = 0;
  if (width == 1) difference = Decode<uint8_t>(bytes, i);
  if (width == 2) difference = Decode<uint16_t>(bytes, i);
  if (width == 8) difference = Decode<uint64_t>(bytes, i);
  return static_cast<int64_t>(static_cast<uint64_t>(base) + difference);
}

size_t Column::SharedWith(const Column& other) const {
  size_t n = 0;
  for (size_t i = 0; i < std::min(chunks_.size(), other.chunks_.size()); ++i) n += chunks_[i] == other.chunks_[i];
  return n;
}

Column ColumnWriter::WriteUniform(uint32_t n_rows, int64_t value) {
  Column column;
  column.size_ = n_rows;
  column.value_ = value;
  return column;
}

template <class T>
Column ColumnWriter::Write(std::span<const T> values) {
  Column column;
  column.size_ = static_cast<uint32_t>(values.size());
  column.chunks_.reserve((values.size() + kChunkRows - 1) / kChunkRows);
  for (size_t at = 0; at < values.size(); at += kChunkRows) {
    const size_t i = column.chunks_.size();
    const std::shared_ptr<const Chunk>* before = i < last_.chunks_.size() ? &last_.chunks_[i] : nullptr;
    column.chunks_.push_back(WriteChunk(values.subspan(at, std::min<size_t>(kChunkRows, values.size() - at)), before));
  }
  last_ = column;
  return column;
}

template <class T>
std::shared_ptr<const Chunk> ColumnWriter::WriteChunk(std::span<const T> values,
                                                      const std::shared_ptr<const Chunk>* before) {
  const Layout layout = LayoutOf(values);
  EncodeAs(layout, values, bytes_);
  if (before != nullptr && (*before)->base == layout.base && (*before)->width == layout.width &&
      (*before)->bytes == bytes_) {
    return *before;
  }
  return std::make_shared<const Chunk>(meter_, layout.base, layout.width, bytes_);
}

template Column ColumnWriter::Write(std::span<const int64_t>);
template Column ColumnWriter::Write(std::span<const int16_t>);

}  // namespace berth::decisions
