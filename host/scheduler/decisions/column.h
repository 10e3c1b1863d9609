// One number for each row of the snapshot, compressed and immutable. Rows are stored in chunks, and a chunk that equals
// the chunk of the column before is shared with it: decisions about equal pods differ in a few chunks only. A column
// with one value for all rows has no chunks.
//
//   ColumnWriter writer(meter);
//   Column first = writer.Write(scores);   // span of int64_t, by row
//   Column second = writer.Write(scores);  // shares every chunk with first
//   second.At(17);
//
// Thread: a Column on any thread; a ColumnWriter on the scheduling thread. Ownership: columns share their chunks.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scheduler/decisions/memory_meter.h"

namespace berth::decisions {

inline constexpr uint32_t kChunkRows = 512;

// The values of kChunkRows rows as differences from the least one, each with 0, 1, 2, or 8 bytes.
struct Chunk : Metered {
  using Bytes = std::vector<uint8_t>;
  Chunk(std::shared_ptr<MemoryMeter> meter, int64_t base, uint8_t width, const Bytes& bytes);
  int64_t At(uint32_t i) const;  // i < kChunkRows

  const int64_t base;
  const uint8_t width;
  const Bytes bytes;  // little-endian
};

class Column {
 public:
  uint32_t size() const { return size_; }  // rows
  int64_t At(uint32_t row) const { return chunks_.empty() ? value_ : chunks_[row / kChunkRows]->At(row % kChunkRows); }
  size_t n_chunks() const { return chunks_.size(); }
  // How many chunks the two columns share.
  size_t SharedWith(const Column& other) const;

 private:
  friend class ColumnWriter;
  std::vector<std::shared_ptr<const Chunk>> chunks_;
  uint32_t size_ = 0;
  int64_t value_ = 0;  // of every row, without chunks
};

class ColumnWriter {
 public:
  explicit ColumnWriter(std::shared_ptr<MemoryMeter> meter) : meter_(std::move(meter)) {}
  // T: int64_t or int16_t.
  template <class T>
  Column Write(std::span<const T> values);
  Column WriteUniform(uint32_t n_rows, int64_t value);

 private:
  template <class T>
  std::shared_ptr<const Chunk> WriteChunk(std::span<const T> values, const std::shared_ptr<const Chunk>* before);

  const std::shared_ptr<MemoryMeter> meter_;
  Column last_;
  Chunk::Bytes bytes_;  // scratch
};

}  // namespace berth::decisions
