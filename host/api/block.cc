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

const BlockBase* BlockTable::FindBase(const BlockKey& key) {
  base::MutexLock lock(mutex_);
  const BlockBase** const found = blocks_.Find(key);
  return found != nullptr && (*found)->AddRefIfHeld() ? *found : nullptr;
}

Ref<const BlockBase> BlockTable::InternBase(char type, BlockWriter& writer, std::unique_ptr<BlockBase> fresh,
                                            void (*number)(BlockBase&, uint32_t)) {
  const BlockKey key(type, writer.key_);
  base::MutexLock lock(mutex_);
  const BlockBase** const found = blocks_.Find(key);
  if (found != nullptr && (*found)->AddRefIfHeld()) return Ref<const BlockBase>::Adopt(*found);
  fresh->table_ = this;
  fresh->type_ = type;
  fresh->hash_ = key.Hash();
  fresh->key_ = std::move(writer.key_);
  fresh->key_.shrink_to_fit();
  fresh->ids_ = std::move(writer.owned_);
  fresh->arena_ = std::move(writer.arena_);
  writer.key_.clear();
  writer.owned_.clear();
  writer.arena_.clear();
  fresh->content_ = TakeContent();
  number(*fresh, fresh->content_);
  if (found != nullptr) {
    *found = fresh.get();  // in place of a block whose last reference is released
  } else {
    blocks_.Insert(fresh.get());
  }
  return Ref<const BlockBase>(fresh.release());
}

std::unordered_set<uint32_t> BlockTable::ContentsInUse() const {
  std::unordered_set<uint32_t> contents;
  blocks_.ForEach([&](const BlockBase* block) { contents.insert(block->content_); });
  return contents;
}

// 0 is no number.
uint32_t BlockTable::TakeContent() {
  while (next_content_ == 0 || taken_.count(next_content_) != 0) {
    if (next_content_ == 0) taken_ = ContentsInUse();
    ++next_content_;
  }
  return next_content_++;
}

void BlockTable::set_next_content(uint32_t next) {
  base::MutexLock lock(mutex_);
  next_content_ = next;
}

void BlockTable::Unlist(const BlockBase* block) {
  base::MutexLock lock(mutex_);
  const BlockBase** const found = blocks_.Find(block->key());
  if (found != nullptr && *found == block) blocks_.Erase(*found);  // else another one has replaced it
}

size_t BlockTable::size() const {
  base::MutexLock lock(mutex_);
  return blocks_.size();
}

}  // namespace berth::api
