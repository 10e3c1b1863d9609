#include "base/intern.h"

#include <cassert>
#include <cstdlib>

#include "base/seeded_hash.h"

namespace berth::base {

InternTable::InternTable() : chunks_(new std::atomic<Chunk*>[kMaxChunks]) {
  for (uint32_t i = 0; i < kMaxChunks; ++i) chunks_[i].store(nullptr, std::memory_order_relaxed);
  chunks_[0].store(new Chunk, std::memory_order_release);
  next_.store(2, std::memory_order_release);
  At(kEmptyId).refs = 1;  // never removed
}

InternTable::~InternTable() {
  for (uint32_t i = 0; i < kMaxChunks; ++i) delete chunks_[i].load(std::memory_order_relaxed);
}

Id InternTable::Intern(std::string_view text) {
  if (text.empty()) return kEmptyId;
  const uint32_t hash = SeededHash(text);
  MutexLock lock(mutex_);
  if (const Id found = Search(hash, text); found != HashIndex::kNone) {
    ++At(found).refs;
    return found;
  }
  const Id id = TakeId();
  Entry& entry = At(id);
  entry.text.assign(text);
  entry.refs = 1;
  index_.Insert(hash, id);
  return id;
}

Id InternTable::TakeId() {
  if (!free_.empty()) {
    const Id id = free_.back();
    free_.pop_back();
    return id;
  }
  const Id id = next_.load(std::memory_order_relaxed);
  const uint32_t chunk = id >> kChunkBits;
  if (chunk >= kMaxChunks) std::abort();  // 67 million live strings
  if (chunks_[chunk].load(std::memory_order_relaxed) == nullptr) {
    chunks_[chunk].store(new Chunk, std::memory_order_release);
  }
  next_.store(id + 1, std::memory_order_release);
  return id;
}

Id InternTable::Find(std::string_view text) const {
  if (text.empty()) return kEmptyId;
  const uint32_t hash = SeededHash(text);
  MutexLock lock(mutex_);
  const Id found = Search(hash, text);
  return found == HashIndex::kNone ? kNoId : found;
}

void InternTable::Keep(Id id) {
  if (id <= kEmptyId) return;
  MutexLock lock(mutex_);
  ++At(id).refs;
}

void InternTable::Drop(Id id) {
  if (id <= kEmptyId) return;
  MutexLock lock(mutex_);
  Entry& entry = At(id);
  assert(entry.refs > 0);
  if (--entry.refs > 0) return;
  entry.dropped = epoch_;
  if (entry.dying) return;
  entry.dying = true;
  dying_.push_back(id);
}

std::string_view InternTable::Text(Id id) const {
  if (id <= kEmptyId || id >= next_.load(std::memory_order_acquire)) return {};
  return (*chunks_[id >> kChunkBits].load(std::memory_order_acquire))[id & (kChunkSize - 1)].text;
}

void InternTable::EndEpoch() {
  MutexLock lock(mutex_);
  for (Id id : expired_) {
    Entry& entry = At(id);
    if (entry.refs == 0 && entry.dropped == epoch_) {  // it had an owner again until this epoch
      dying_.push_back(id);
      continue;
    }
    entry.dying = false;
    if (entry.refs > 0) continue;  // interned again in the meantime
    index_.Take(SeededHash(entry.text), [id](uint32_t other) { return other == id; });
    entry.text = std::string();
    free_.push_back(id);
  }
  expired_.clear();
  expired_.swap(dying_);
  ++epoch_;
}

size_t InternTable::size() const {
  MutexLock lock(mutex_);
  return index_.size() + 2;
}

}  // namespace berth::base
