#include "scheduler/framework/block_totals.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "base/wide.h"

namespace berth::framework {
namespace {

constexpr uint64_t kFull = ~uint64_t{0};

template <class Fn>
inline void ForBits(uint64_t bits, Fn&& fn) {
  for (; bits != 0; bits &= bits - 1) fn(static_cast<size_t>(std::countr_zero(bits)));
}

// Overflow wraps as in Go. Cells of rows that are not feasible contain anything.
BERTH_WIDE void AddBlock(int64_t* __restrict totals, const int64_t* __restrict more) {
  for (size_t i = 0; i < kBlockRows; ++i) {
    totals[i] = static_cast<int64_t>(static_cast<uint64_t>(totals[i]) + static_cast<uint64_t>(more[i]));
  }
}

BERTH_WIDE uint32_t CountInBlock(const int64_t* v, int64_t value) {
  uint32_t n = 0;
  for (size_t i = 0; i < kBlockRows; ++i) n += v[i] == value;
  return n;
}

BERTH_WIDE void LowerOthers(int64_t* totals, uint64_t feasible) {
  for (size_t i = 0; i < kBlockRows; ++i) totals[i] = (feasible >> i & 1) != 0 ? totals[i] : kLowestTotal;
}

int64_t Plus(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }

int64_t Times(int64_t score, int64_t weight) {
  return static_cast<int64_t>(static_cast<uint64_t>(score) * static_cast<uint64_t>(weight));
}

}  // namespace

bool FitsPart(const ScoreEntry& entry, bool scales) {
  constexpr int64_t kLargest = std::numeric_limits<int64_t>::max() / kMaxNodeScore;  // NormalizeOne multiplies
  return entry.bounds.least >= kMinNodeScore && entry.bounds.greatest <= (scales ? kLargest : kMaxNodeScore);
}

void BlockBests::Resize(size_t blocks) {
  best_.resize(blocks);
  ties_.resize(blocks);
}

void BlockBests::Read(size_t block, int64_t* totals, uint64_t feasible) {
  best_[block] = kLowestTotal;
  ties_[block] = 0;
  if (feasible == 0) return;
  if (feasible != kFull) LowerOthers(totals, feasible);
  best_[block] = MaxOfWord(totals, kFull);
  ties_[block] = CountInBlock(totals, best_[block]);
}

uint64_t BlockBests::Sum(int64_t* totals, const int64_t* scores, int64_t weight, const int64_t* more,
                         const base::Bitmap& feasible) {
  Resize(feasible.n_words());
  return SumOne({scores, static_cast<uint64_t>(weight)}, more, feasible, totals, best_.data(), ties_.data());
}

void BlockBests::Sum(const SumTerms& terms, const base::Bitmap& blocks, const base::Bitmap& feasible, int64_t* totals) {
  SumUpBlocks(terms, blocks, feasible, totals, best_.data(), ties_.data());
}

Best BlockBests::FindBest() const {
  Best best{kLowestTotal, 0};
  for (const int64_t one : best_) best.total = std::max(best.total, one);
  for (size_t block = 0; block < best_.size(); ++block) {
    if (best_[block] == best.total) best.ties += ties_[block];
  }
  return best;
}

uint32_t BlockBests::NthBest(const int64_t* totals, int64_t best, uint32_t k) const {
  for (size_t block = 0; block < best_.size(); ++block) {
    if (best_[block] != best) continue;
    if (k >= ties_[block]) {
      k -= ties_[block];
      continue;
    }
    for (size_t row = block * kBlockRows; row < (block + 1) * kBlockRows; ++row) {
      if (totals[row] == best && k-- == 0) return static_cast<uint32_t>(row);
    }
  }
  return 0;
}

void SumBlocks(int64_t* totals, const int64_t* more, const base::Bitmap& feasible, BlockBests& bests) {
  bests.Resize(feasible.n_words());
  for (size_t block = 0; block < feasible.n_words(); ++block) {
    const uint64_t rows = feasible.words()[block];
    int64_t* const here = totals + block * kBlockRows;
    if (rows != 0 && more != nullptr) AddBlock(here, more + block * kBlockRows);
    bests.Read(block, here, rows);
  }
}

bool BlockTotals::IsOf(const std::vector<TotalsPart>& parts) const {
  return std::equal(parts.begin(), parts.end(), parts_.begin(), parts_.end(),
                    [](const TotalsPart& wanted, const Part& part) { return wanted == part.what; });
}

void BlockTotals::Update(const std::vector<TotalsPart>& parts, const base::Bitmap& feasible, bool everything) {
  const size_t blocks = feasible.n_words();
  const bool other = everything || passing_ || !IsOf(parts) || feasible.size() != feasible_.size();
  passing_ = everything;
  changed_.Resize(blocks);
  if (other) {
    parts_.resize(parts.size());
    for (size_t i = 0; i < parts.size(); ++i) {
      parts_[i].what = parts[i];
      parts_[i].seen = parts[i].entry->changes.Now();
      parts_[i].block_max.resize(parts[i].scales && !everything ? blocks : 0);
      parts_[i].max = -1;
    }
    totals_.resize(blocks * kBlockRows);
    bests_.Resize(blocks);
    changed_.SetAll();
  } else {
    changed_.Reset();
    FindChanged(feasible);
  }
  feasible_ = feasible;
  bool rescale = false;
  for (Part& part : parts_) rescale = (part.what.scales && UpdateMax(part, everything)) || rescale;
  if (rescale) changed_.SetAll();
  SumChanged();
}

void BlockTotals::FindChanged(const base::Bitmap& feasible) {
  for (size_t w = 0; w < feasible.n_words(); ++w) {
    if (feasible.words()[w] != feasible_.words()[w]) changed_.Set(w);
  }
  for (Part& part : parts_) {
    BlockChanges& changes = part.what.entry->changes;
    if (changes.AllSince(part.seen)) {
      changed_.SetAll();
    } else {
      changes.ForEachSince(part.seen, [&](size_t block) {
        if (block < changed_.size()) changed_.Set(block);
      });
    }
    part.seen = changes.Now();
  }
}

bool BlockTotals::UpdateMax(Part& part, bool everything) {
  const ScoreEntry& entry = *part.what.entry;
  int64_t max = 0;
  if (everything) {
    max = MaxUpTo(entry.scores.data(), feasible_, max, entry.bounds.greatest);
  } else {
    MaxOfBlocks(entry.scores.data(), changed_, feasible_, part.block_max.data());
    for (const int64_t one : part.block_max) max = std::max(max, one);
  }
  if (std::exchange(part.max, max) == max) return false;
  part.scale.reset();
  if (max > 0 && static_cast<uint64_t>(max) <= ScoreScale::kLargest) part.scale.emplace(static_cast<uint64_t>(max));
  return true;
}

void BlockTotals::SumChanged() {
  terms_.clear();
  for (const Part& part : parts_) {
    if (!AddTerm(part)) return SumSlowly();
  }
  bests_.Sum(terms_, changed_, feasible_, totals_.data());
}

bool BlockTotals::AddTerm(const Part& part) {
  const int64_t* const scores = part.what.entry->scores.data();
  const auto weight = static_cast<uint64_t>(part.what.weight);
  if (!part.what.scales) {
    terms_.plain.push_back({scores, weight});
    return true;
  }
  if (part.what.reverse) terms_.base += weight * uint64_t{kMaxNodeScore};
  if (part.max == 0) return true;  // every score is 0
  if (!part.scale) return false;
  terms_.scaled.push_back({scores, part.scale->factor, part.scale->shift, part.what.reverse ? 0 - weight : weight});
  return true;
}

// With divisions.
void BlockTotals::SumSlowly() {
  changed_.ForEach([&](uint32_t block) {
    int64_t* const totals = totals_.data() + size_t{block} * kBlockRows;
    std::fill_n(totals, kBlockRows, 0);
    ForBits(feasible_.words()[block], [&](size_t i) {
      for (const Part& part : parts_) {
        int64_t score = part.what.entry->scores[block * kBlockRows + i];
        if (part.what.scales) score = NormalizeOne(score, part.max, part.what.reverse);
        totals[i] = Plus(totals[i], Times(score, part.what.weight));
      }
    });
    bests_.Read(block, totals, feasible_.words()[block]);
  });
}

BlockTotals& KeptTotals::Get(const std::vector<TotalsPart>& parts, bool first_use) {
  if (first_use) return passing_;
  ++clock_;
  if (entries_.capacity() == 0) entries_.reserve(kEntries);
  BlockTotals* oldest = nullptr;
  for (BlockTotals& one : entries_) {
    if (one.IsOf(parts)) {
      one.last_used = clock_;
      return one;
    }
    if (oldest == nullptr || one.last_used < oldest->last_used) oldest = &one;
  }
  if (entries_.size() < kEntries) oldest = &entries_.emplace_back();
  oldest->last_used = clock_;
  return *oldest;
}

}  // namespace berth::framework
