#include "plugin/reasons.h"

#include <cstdlib>

namespace berth::plugin {
namespace {

const std::vector<std::string> kNoTexts;

// Lengths first, so that {"a", "b"} and {"ab"} differ.
std::string KeyOf(const std::vector<std::string>& texts) {
  std::string key;
  for (const std::string& text : texts) {
    key += std::to_string(text.size());
    key += ':';
    key += text;
  }
  return key;
}

}  // namespace

ReasonTable::ReasonTable() : chunks_(new std::atomic<Chunk*>[kMaxChunks]) {
  for (uint32_t i = 0; i < kMaxChunks; ++i) chunks_[i].store(nullptr, std::memory_order_relaxed);
}

ReasonTable::~ReasonTable() {
  for (uint32_t i = 0; i < kMaxChunks; ++i) delete chunks_[i].load(std::memory_order_relaxed);
}

uint32_t ReasonTable::Intern(const std::vector<std::string>& texts) {
  if (texts.empty()) return 0;
  std::string key = KeyOf(texts);
  std::lock_guard lock(mutex_);
  if (auto it = lists_.find(key); it != lists_.end()) return it->second;
  uint32_t list;
  if (free_.empty()) {
    list = next_.load(std::memory_order_relaxed);
    if (list / kChunk >= kMaxChunks) std::abort();  // 67 million different reasons alive
    if (chunks_[list / kChunk].load(std::memory_order_relaxed) == nullptr) {
      chunks_[list / kChunk].store(new Chunk, std::memory_order_release);
    }
  } else {
    list = free_.back();
    free_.pop_back();
  }
  Entry& entry = Slot(list);
  entry.texts = texts;
  entry.key = std::move(key);
  lists_.emplace(std::string_view(entry.key), list);
  if (list == next_.load(std::memory_order_relaxed)) next_.store(list + 1, std::memory_order_release);
  return list;
}

const ReasonTable::Entry* ReasonTable::At(uint32_t list) const {
  if (list == 0 || list >= next_.load(std::memory_order_acquire)) return nullptr;
  return &(*chunks_[list / kChunk].load(std::memory_order_acquire))[list % kChunk];
}

const std::vector<std::string>& ReasonTable::Texts(uint32_t list) const {
  const Entry* entry = At(list);
  return entry == nullptr ? kNoTexts : entry->texts;
}

bool ReasonTable::Valid(uint32_t list) const {
  const Entry* entry = At(list);
  return list == 0 || (entry != nullptr && !entry->texts.empty());
}

size_t ReasonTable::size() const {
  std::lock_guard lock(mutex_);
  return lists_.size();
}

void ReasonTable::Sweep(const std::vector<uint8_t>& keep) {
  std::lock_guard lock(mutex_);
  for (uint32_t list = 1; list < next_.load(std::memory_order_relaxed); ++list) {
    Entry& entry = Slot(list);
    if (entry.key.empty() || (list < keep.size() && keep[list] != 0)) continue;
    lists_.erase(entry.key);
    entry = Entry{};
    free_.push_back(list);
  }
}

}  // namespace berth::plugin
