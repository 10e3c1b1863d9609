#include "scheduler/decisions/ring.h"

#include <algorithm>
#include <utility>

namespace berth::decisions {
namespace {

constexpr std::string_view kCut = " ...";

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::string_view ResultName(Result result) {
  switch (result) {
    case Result::kScheduled: return "Scheduled";
    case Result::kUnschedulable: return "Unschedulable";
    case Result::kError: break;
  }
  return "Error";
}

std::optional<Result> ResultOf(std::string_view name) {
  for (const Result one : {Result::kScheduled, Result::kUnschedulable, Result::kError}) {
    if (ResultName(one) == name) return one;
  }
  return std::nullopt;
}

Ring::Ring(Limits limits, std::shared_ptr<MemoryMeter> meter)
    : limits_{.decisions = std::max<size_t>(limits.decisions, 1), .bytes = limits.bytes},
      block_size_(std::clamp<size_t>(limits.decisions / 32, 1, 256)),
      meter_(std::move(meter)) {}

uint64_t Ring::Add(const DecisionNumbers& numbers, const DecisionTexts& texts, DecisionParts parts) {
  Block& block = BlockForNext();
  Entry& entry = block.entries.emplace_back();
  entry.numbers = numbers;
  const std::array<std::string_view, kTexts> all{
      texts.pod,         texts.uid,      texts.profile,   texts.node, texts.message, texts.nominated_node,
      texts.rejected_by, texts.woken_by, texts.woken_for, texts.gate, texts.victims};
  for (size_t i = 0; i < kTexts; ++i) {
    const bool cut = all[i].size() > kMaxMessage;
    block.text += cut ? all[i].substr(0, kMaxMessage - kCut.size()) : all[i];
    if (cut) block.text += kCut;
    entry.ends[i] = static_cast<uint32_t>(block.text.size());
  }
  ++last_id_;
  const bool table = parts.nodes != nullptr;
  if (table) ++n_tables_;
  entry.parts = std::move(parts);
  if (block.entries.size() == block_size_) Measure(block);
  if (table || !fits_ || block.entries.size() == block_size_) Shrink();
  return last_id_;
}

Ring::Block& Ring::BlockForNext() {
  if (!blocks_.empty() && blocks_.back()->entries.size() < block_size_) return *blocks_.back();
  if ((blocks_.size() + 1) * block_size_ > limits_.decisions && !blocks_.empty()) DropOldestBlock();
  blocks_.push_back(spare_ != nullptr ? std::move(spare_) : std::make_unique<Block>());
  blocks_.back()->entries.reserve(block_size_);
  return *blocks_.back();
}

void Ring::DropOldestBlock() {
  spare_ = std::move(blocks_.front());
  blocks_.pop_front();
  for (const Entry& entry : spare_->entries) n_tables_ -= entry.parts.nodes != nullptr;
  first_id_ += spare_->entries.size();
  spare_->entries.clear();
  spare_->text.clear();
}

void Ring::Measure(Block& block) {
  const size_t bytes = block.entries.capacity() * sizeof(Entry) + block.text.capacity();
  meter_->Add(bytes - block.metered);  // a block never becomes smaller
  block_bytes_ += bytes - block.metered;
  block.metered = bytes;
}

// Tables first, because they are large. Blocks, if their own texts take more than half of the memory. What others hold
// is no reason to drop blocks.
void Ring::Shrink() {
  first_table_ = std::max(first_table_, first_id_);
  while (meter_->bytes() > limits_.bytes && n_tables_ > 0) {
    auto& nodes = blocks_[(first_table_ - first_id_) / block_size_]
                      ->entries[(first_table_ - first_id_) % block_size_]
                      .parts.nodes;
    n_tables_ -= nodes != nullptr;
    nodes.reset();
    ++first_table_;
  }
  while (block_bytes_ > limits_.bytes / 2 && blocks_.size() > 1) {
    DropOldestBlock();
    meter_->Subtract(spare_->metered);
    block_bytes_ -= spare_->metered;
    spare_.reset();
  }
  fits_ = meter_->bytes() <= limits_.bytes;
}

bool Ring::Selects(const Filter& filter, uint64_t id) const {
  const Entry& entry = At(id);
  return (!filter.result || *filter.result == entry.numbers.result) &&
         (!filter.with_nodes || entry.parts.nodes != nullptr) &&
         (filter.pod.empty() || TextOf(id, kPod) == filter.pod) &&
         (filter.profile.empty() || TextOf(id, kProfile) == filter.profile);
}

std::string_view Ring::TextOf(uint64_t id, size_t text) const {
  const Block& block = BlockOf(id);
  const size_t index = (id - first_id_) % block_size_;
  uint32_t begin = 0;
  if (text > 0) {
    begin = block.entries[index].ends[text - 1];
  } else if (index > 0) {
    begin = block.entries[index - 1].ends[kTexts - 1];
  }
  return std::string_view(block.text).substr(begin, block.entries[index].ends[text] - begin);
}

std::shared_ptr<const Decision> Ring::Find(uint64_t id) const {
  if (id < first_id_ || id > last_id_) return nullptr;
  auto found = std::make_shared<Decision>();
  static_cast<DecisionNumbers&>(*found) = At(id).numbers;
  found->id = id;
  size_t text = 0;
  for (std::string* to :
       {&found->pod, &found->uid, &found->profile, &found->node, &found->message, &found->nominated_node}) {
    *to = TextOf(id, text++);
  }
  found->rejected_by = Lines(TextOf(id, text++));
  for (std::string* to : {&found->woken_by, &found->woken_for, &found->gate}) *to = TextOf(id, text++);
  found->victims = VictimsOf(TextOf(id, text));
  found->nodes = At(id).parts.nodes;
  found->plugins = At(id).parts.plugins;
  return found;
}

std::shared_ptr<const Decision> Ring::LastOf(std::string_view uid) const {
  for (uint64_t id = last_id_; id >= first_id_; --id) {
    if (TextOf(id, kUid) == uid) return Find(id);
  }
  return nullptr;
}

}  // namespace berth::decisions
