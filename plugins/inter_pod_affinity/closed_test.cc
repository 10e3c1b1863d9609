// The shortcut for one key that decides alone, and the sums over few domains, compared with plain loops.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "filter_counts.h"

namespace plugins::inter_pod {
namespace {

std::vector<uint32_t> DomainsOf(std::mt19937& random, uint32_t rows, uint32_t domains) {
  std::vector<uint32_t> of_row(rows);
  for (uint32_t& domain : of_row) domain = random() % (domains + 1) - 1u;
  return of_row;
}

std::vector<uint8_t> CodesOf(const FilterCounts& counts, const berth_rows& rows) {
  std::vector<uint8_t> codes(rows.n);
  EachRowChunk(&rows, kChunk, [&](const RowChunk& chunk) { counts.Codes(chunk, codes.data() + chunk.begin()); });
  return codes;
}

TEST(FilterCounts, OnlyClosedSaysTheSameAsCodes) {
  std::mt19937 random(3);
  int closed_ones = 0;
  for (int round = 0; round < 500; ++round) {
    const uint32_t n = 1 + random() % 300, domains = 1 + random() % 34, keys = 1 + random() % 8 / 7;
    const auto group = random() % 2 == 0 ? kMatching : kAnti;
    std::vector<std::vector<uint32_t>> of_row;
    FilterCounts counts;
    counts.Clear();
    for (uint32_t key = 0; key < keys; ++key) of_row.push_back(DomainsOf(random, n, domains));
    for (uint32_t key = 0; key < keys; ++key) {
      auto& cells = counts.At(key + 1, group, [&](Id) { return Topology{of_row[key].data(), domains}; }).cells[group];
      for (int32_t& cell : cells) cell = static_cast<int32_t>(random() % 2);
    }
    counts.Finish();
    const auto closed = counts.OnlyClosed();
    const bool refuses = (counts.seen() & ~(1u << kFits)) != 0;
    if (keys == 1) {
      ASSERT_EQ(closed.has_value(), refuses && domains < 32) << domains;
    }
    if (!closed) continue;
    ++closed_ones;
    const std::vector<uint64_t> live((n + 63) / 64, ~uint64_t{0});
    const std::vector<uint8_t> codes = CodesOf(counts, {sizeof(berth_rows), n, 0, 0, nullptr, live.data()});
    std::vector<uint64_t> verdicts(n);
    RefuseRows(closed->of_row, n, closed->cells, uint64_t{77} << 32 | closed->code, verdicts.data());
    for (uint32_t row = 0; row < n; ++row) {
      ASSERT_EQ(verdicts[row], codes[row] == kFits ? 0 : uint64_t{77} << 32 | codes[row]) << row;
    }
  }
  EXPECT_GT(closed_ones, 200);
}

TEST(FilterCounts, OnlyClosedNeedsOneCode) {
  const std::vector<uint32_t> of_row{0, 1, 2};
  FilterCounts counts;
  counts.Clear();
  const auto topology = [&](Id) { return Topology{of_row.data(), 3}; };
  counts.At(1, kAnti, topology).cells[kAnti] = {0, 1, 0, 0};
  counts.At(1, kExisting, topology).cells[kExisting] = {0, 0, 1, 0};
  counts.Finish();
  EXPECT_FALSE(counts.OnlyClosed());
}

TEST(AddRows, OfFewAndOfManyDomains) {
  std::mt19937 random(5);
  for (uint32_t domains = 1; domains < 20; ++domains) {
    const std::vector<uint32_t> of_row = DomainsOf(random, 200, domains);
    for (const bool any : {true, false}) {
      std::vector<int32_t> pods(of_row.size());
      std::vector<int64_t> cells(domains + 1, 100), want = cells;
      for (size_t row = 0; row < pods.size(); ++row) {
        if (any || of_row[row] == BERTH_NO_DOMAIN) pods[row] = static_cast<int32_t>(random() % 5);
        want[of_row[row] + 1u] -= 3 * pods[row];
      }
      EXPECT_EQ(AddRows(Topology{of_row.data(), domains}, std::span<const int32_t>(pods), int64_t{-3}, cells.data()),
                any);
      ASSERT_EQ(cells, want) << domains;
    }
  }
}

}  // namespace
}  // namespace plugins::inter_pod
