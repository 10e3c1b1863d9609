#include "plugin/instance/reasons.h"

#include <charconv>
#include <cstdlib>

namespace berth::plugin {
namespace {

const std::vector<std::string> kNoTexts;

// Lengths first, so that {"a", "b"} and {"ab"} differ.
void AddToKey(std::string& key, const char* text, size_t length) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, length).ptr;
  key.append(digits, end);
  key += ':';
  key.append(text, length);
}

// The key being built: one per thread, to reuse its memory.
std::string& EmptyKey() {
  thread_local std::string key;
  key.clear();
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
  std::string& key = EmptyKey();
  for (const std::string& text : texts) AddToKey(key, text.data(), text.size());
  return InternKey(key, [&] { return texts; });
}

uint32_t ReasonTable::Intern(const berth_str* texts, uint32_t n) {
  if (n == 0) return 0;
  std::string& key = EmptyKey();
  for (uint32_t i = 0; i < n; ++i) AddToKey(key, texts[i].ptr, texts[i].len);
  return InternKey(key, [&] {
    std::vector<std::string> copies;
    for (uint32_t i = 0; i < n; ++i) copies.emplace_back(texts[i].ptr, texts[i].len);
    return copies;
  });
}

template <class Make>
uint32_t ReasonTable::InternKey(const std::string& key, Make&& make_texts) {
  base::MutexLock lock(mutex_);
  if (auto it = lists_.find(key); it != lists_.end()) return it->second;
  uint32_t list;
  if (free_.empty()) {
    list = next_.load(std::memory_order_relaxed);
    if (list / kChunk >= kMaxChunks) std::abort();  // 67 million different lists
    if (chunks_[list / kChunk].load(std::memory_order_relaxed) == nullptr) {
      chunks_[list / kChunk].store(new Chunk, std::memory_order_release);
    }
  } else {
    list = free_.back();
    free_.pop_back();
  }
  Entry& entry = Slot(list);
  entry.texts = make_texts();
  entry.key = key;
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
  base::MutexLock lock(mutex_);
  return lists_.size();
}

void ReasonTable::Sweep(const std::vector<uint8_t>& keep) {
  base::MutexLock lock(mutex_);
  for (uint32_t list = 1; list < next_.load(std::memory_order_relaxed); ++list) {
    Entry& entry = Slot(list);
    if (entry.key.empty() || (list < keep.size() && keep[list] != 0)) continue;
    lists_.erase(entry.key);
    entry = Entry{};
    free_.push_back(list);
  }
}

}  // namespace berth::plugin
