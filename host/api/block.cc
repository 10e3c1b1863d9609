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

uint32_t BlockTable::Listed::Search(uint32_t hash, const BlockKey& key) const {
  return index_.Find(hash, [&](uint32_t at) {
    const BlockBase& block = *blocks_.At(at);
    return block.type_ == key.type && block.key_ == key.content;
  });
}

const BlockBase* BlockTable::Listed::Find(uint32_t hash, const BlockKey& key) const {
  const uint32_t at = Search(hash, key);
  return at == base::HashIndex::kNone ? nullptr : blocks_.At(at);
}

void BlockTable::Listed::Add(uint32_t hash, const BlockBase* block) {
  if (const uint32_t at = Search(hash, {block->type_, block->key_}); at != base::HashIndex::kNone) {
    blocks_.At(at) = block;
  } else {
    index_.Insert(hash, blocks_.Add(block));
  }
}

void BlockTable::Listed::Remove(uint32_t hash, const BlockBase* block) {
  const uint32_t at = index_.Take(hash, [&](uint32_t i) { return blocks_.At(i) == block; });
  if (at != base::HashIndex::kNone) blocks_.Remove(at);
}

std::unordered_set<uint32_t> BlockTable::Listed::Contents() const {
  std::unordered_set<uint32_t> contents;
  blocks_.ForEach([&](const BlockBase* block) { contents.insert(block->content_); });
  return contents;
}

const BlockBase* BlockTable::FindBase(const BlockKey& key) {
  const uint32_t hash = key.Hash();
  base::MutexLock lock(mutex_);
  const BlockBase* const found = blocks_.Find(hash, key);
  return found != nullptr && found->AddRefIfHeld() ? found : nullptr;
}

Ref<const BlockBase> BlockTable::InternBase(char type, BlockWriter& writer, std::unique_ptr<BlockBase> fresh,
                                            void (*number)(BlockBase&, uint32_t)) {
  const BlockKey key{type, writer.key_};
  const uint32_t hash = key.Hash();
  base::MutexLock lock(mutex_);
  const BlockBase* const found = blocks_.Find(hash, key);
  if (found != nullptr && found->AddRefIfHeld()) return Ref<const BlockBase>::Adopt(found);
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
  blocks_.Add(hash, fresh.get());  // in place of a block that another thread will delete soon
  return Ref<const BlockBase>(fresh.release());
}

// 0 is no number.
uint32_t BlockTable::TakeContent() {
  while (next_content_ == 0 || taken_.count(next_content_) != 0) {
    if (next_content_ == 0) {
      taken_ = blocks_.Contents();
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
  blocks_.Remove(hash, block);
}

size_t BlockTable::size() const {
  base::MutexLock lock(mutex_);
  return blocks_.size();
}

}  // namespace berth::api
