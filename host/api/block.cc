#include "api/block.h"

#include <cassert>
#include <cstring>

namespace berth::api {

bool BlockBase::AddRefIfHeld() const {
  uint32_t refs = refs_.load(std::memory_order_relaxed);
  while (refs != 0) {
    if (refs_.compare_exchange_weak(refs, refs + 1, std::memory_order_relaxed)) return true;
  }
  return false;
}

void BlockBase::OnUnreferenced() const {
  table_->Unlist(this);
  for (base::Id id : ids_) table_->ids_.Drop(id);
  delete this;
}

BlockWriter::~BlockWriter() {
  for (base::Id id : owned_) ids_.Drop(id);
}

base::Id BlockWriter::Text(std::string_view text) {
  const base::Id id = ids_.Intern(text);
  if (id > base::kEmptyId) owned_.push_back(id);
  return id;
}

const void* BlockWriter::Copy(const void* bytes, size_t n) {
  if (n == 0) return nullptr;
  arena_.push_back(std::make_unique<std::byte[]>(n));
  std::memcpy(arena_.back().get(), bytes, n);
  return arena_.back().get();
}

BlockTable::~BlockTable() { assert(blocks_.size() == 0 && "a block outlived the vocabulary"); }

uint32_t BlockTable::Search(uint32_t hash, const BlockKey& key) const {
  return index_.Find(hash, [&key, &blocks = blocks_](uint32_t at) {
    const BlockBase& block = *blocks.At(at);
    return block.type_ == key.type && block.key_ == key.content;
  });
}

const BlockBase* BlockTable::FindBase(const BlockKey& key) {
  const uint32_t hash = key.Hash();
  base::MutexLock lock(mutex_);
  const uint32_t at = Search(hash, key);
  if (at == base::HashIndex::kNone) return nullptr;
  const BlockBase* const found = blocks_.At(at);
  return found->AddRefIfHeld() ? found : nullptr;
}

Ref<const BlockBase> BlockTable::InternBase(char type, BlockWriter& writer, std::unique_ptr<BlockBase> fresh,
                                            void (*number)(BlockBase&, uint32_t)) {
  const BlockKey key{type, writer.key_};
  const uint32_t hash = key.Hash();
  base::MutexLock lock(mutex_);
  const uint32_t at = Search(hash, key);
  if (at != base::HashIndex::kNone && blocks_.At(at)->AddRefIfHeld()) {
    return Ref<const BlockBase>::Adopt(blocks_.At(at));
  }
  fresh->table_ = this;
  fresh->type_ = type;
  fresh->key_ = std::move(writer.key_);
  fresh->key_.shrink_to_fit();
  fresh->ids_ = std::move(writer.owned_);
  fresh->arena_ = std::move(writer.arena_);
  writer.key_.clear();
  writer.owned_.clear();
  writer.arena_.clear();
  fresh->content_ = TakeContent();
  number(*fresh, fresh->content_);
  if (at != base::HashIndex::kNone) {
    blocks_.At(at) = fresh.get();  // another thread will delete the earlier block soon
  } else {
    index_.Insert(hash, blocks_.Add(fresh.get()));
  }
  return Ref<const BlockBase>(fresh.release());
}

// 0 is no number.
uint32_t BlockTable::TakeContent() {
  while (next_content_ == 0 || taken_.count(next_content_) != 0) {
    if (next_content_ == 0) {
      taken_.clear();
      blocks_.ForEach([&taken = taken_](const BlockBase* block) { taken.insert(block->content_); });
    }
    ++next_content_;
  }
  return next_content_++;
}

void BlockTable::set_next_content(uint32_t next) {
  base::MutexLock lock(mutex_);
  next_content_ = next;
}

void BlockTable::Unlist(const BlockBase* block) {
  const uint32_t hash = BlockKey{block->type_, block->key_}.Hash();
  base::MutexLock lock(mutex_);
  const uint32_t at = index_.Take(hash, [block, &blocks = blocks_](uint32_t i) { return blocks.At(i) == block; });
  if (at != base::HashIndex::kNone) blocks_.Remove(at);  // otherwise a new block has its place
}

size_t BlockTable::size() const {
  base::MutexLock lock(mutex_);
  return blocks_.size();
}

}  // namespace berth::api
