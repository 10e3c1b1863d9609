// Prints a digest of what the loops of the shipped plugins compute for random columns. hot_levels.sh builds it for each
// level of x86-64 and compares the digests.
#include <bit>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include "common/allocation_strategies.h"
#include "common/row_chunks.h"
#include "inter_pod_affinity/loops.h"
#include "node_affinity/row_bits.h"
#include "node_resources_balanced_allocation/balance.h"
#include "node_resources_fit/fits.h"
#include "pod_topology_spread/loops.h"
#include "pod_topology_spread/tally.h"

namespace {

using namespace plugins;  // NOLINT: the plugins' loops

class Digest {
 public:
  template <class T>
  void Add(const std::vector<T>& cells) {
    for (const T cell : cells) One(static_cast<uint64_t>(cell));
  }
  void One(uint64_t number) { value_ = (value_ ^ number) * 0x100000001b3u; }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325u;
};

std::mt19937_64 random_numbers(42);

// n integers from 0 to below-1 as T.
template <class T>
std::vector<T> Draw(size_t n, uint64_t below) {
  std::vector<T> cells(n);
  for (T& cell : cells) cell = static_cast<T>(random_numbers() % below);
  return cells;
}

void Resources(size_t n, Digest& digest) {
  const auto size = uint64_t{1} << (random_numbers() % 46);
  const auto a = Draw<double>(n, size), b = Draw<double>(n, size), ua = Draw<double>(n, size),
             ub = Draw<double>(n, size);
  const double pod = static_cast<double>(random_numbers() % (size / 4 + 1));
  std::vector<int64_t> out(n);
  digest.One(allocation::LeastMeans({a.data(), ua.data(), pod, 1}, {b.data(), ub.data(), pod, 3}, n, out.data()));
  digest.Add(out);
  std::vector<double> sum(n), weights(n);
  digest.One(allocation::AddLeast(a.data(), ua.data(), pod, 2, n, sum.data(), weights.data()));
  digest.One(allocation::AddMost(b.data(), ub.data(), pod, 5, n, sum.data(), weights.data()));
  allocation::DivideMeans(sum.data(), weights.data(), n, out.data());
  digest.Add(out);
  digest.One(balance::ScoreTwo(a.data(), ua.data(), pod, b.data(), ub.data(), pod, n, out.data()));
  digest.Add(out);
  const auto has = Draw<int64_t>(n, size), used = Draw<int64_t>(n, size);
  const auto want = static_cast<int64_t>(size / 8);
  std::vector<uint8_t> bad(n);
  digest.One(fit::AnyShort(has.data(), used.data(), want, n));
  fit::MarkShort(has.data(), used.data(), want, n, bad.data());
  digest.Add(bad);
}

void Domains(size_t n, Digest& digest) {
  const auto domains = Draw<uint32_t>(n, n), picks = Draw<uint32_t>(n, n);
  const auto counts = Draw<int32_t>(n + 1, 5);
  std::vector<uint8_t> codes(n + 1), there(n + 1), out(n);
  inter_pod::RaiseWhereAny(counts.data(), n + 1, 2, codes.data());
  inter_pod::RaiseWhereNone(counts.data(), n + 1, 1, codes.data());
  inter_pod::RaiseRows(domains.data(), n, codes.data(), out.data());
  digest.Add(out);
  digest.One(inter_pod::CodesIn(out.data(), n));
  auto scores = Draw<int64_t>(n, 100000);
  inter_pod::ScoreRows(domains.data(), n, Draw<int64_t>(n + 1, 1000).data(), scores.data());
  inter_pod::ScaleBetween(scores.data(), n);
  digest.Add(scores);
  std::vector<uint32_t> picked(n);
  PickCells(domains.data(), picks.data(), n, picked.data());
  digest.Add(picked);
  spread::MarkAbove(domains.data(), n, there.data());
  digest.One(spread::SumOf(domains.data(), n));
  const spread::Lowest lowest = spread::FindLowest(counts.data(), there.data(), n);
  digest.One(static_cast<uint64_t>(lowest.first)), digest.One(static_cast<uint64_t>(lowest.next));
  digest.One(lowest.holders), digest.One(lowest.there);
}

void Spread(size_t n, Digest& digest) {
  const auto domains = Draw<uint32_t>(n, n);
  const auto pods = Draw<int32_t>(n, 1000);
  auto worth = Draw<double>(n + 1, 100000);
  for (double& one : worth) one /= 7;
  std::vector<double> sums(n);
  spread::AddWorthOfCells(domains.data(), worth.data(), n, sums.data());
  spread::AddWorthOfRows(domains.data(), pods.data(), 8.517193191416238, 0.3, n, sums.data());
  spread::AddWorthOfEmptyRows(domains.data(), 0.1, n, sums.data());
  for (const double sum : sums) digest.One(std::bit_cast<uint64_t>(sum));  // a fused multiply-add changes the last bits
  std::vector<int64_t> scores(n);
  spread::RoundAll(sums.data(), n, scores.data());
  digest.Add(scores);
  const spread::ScoreRange range = spread::RangeOf(scores.data(), n);
  spread::FlipAll(range, scores.data(), n);
  node_affinity::AddWhereSet(Draw<uint64_t>(n / 64 + 1, UINT64_MAX).data(), 50, n, scores.data());
  digest.Add(scores);
}

}  // namespace

int main() {
  Digest digest;
  for (size_t round = 0; round < 300; ++round) {
    const size_t n = 1 + random_numbers() % 700;
    Resources(n, digest), Domains(n, digest), Spread(n, digest);
  }
  std::printf("%016" PRIx64 "\n", digest.value());
}
