// Scoring: the number of pods per bucket (a value of the key among the feasible nodes) for each ScheduleAnyway
// constraint, and the raw scores of the nodes. Fewer pods are better, and a key with many buckets has more weight.
// Source: pkg/scheduler/framework/plugins/podtopologyspread/scoring.go. Thread: SoftState is created in [serial] calls
// and read in [parallel] ones.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "../common/go_log.h"
#include "../common/row_chunks.h"
#include "constraint.h"
#include "inclusion.h"
#include "loops.h"
#include "pair_scores.h"
#include "tally.h"

namespace plugins::spread {

// The counts of one constraint. Vectors are by cell, see tally.h; cell 0 is for the nodes without the key.
struct SoftCounts {
  berth::sdk::Domains domains;
  std::span<const int32_t> pods_of_row;  // empty: no pod on any row
  bool hostname = false;                 // counted per node, without buckets
  double shift = 0;                      // maxSkew - 1: reduces the effect of small differences
  double weight = 0;                     // ln(buckets + 2)
  std::vector<uint8_t> bucket;           // 1: a feasible node is in it
  std::vector<int32_t> pods;
  std::vector<double> worth;  // the raw score of a node in the bucket

  double Worth(int32_t count) const { return static_cast<double>(count) * weight + shift; }

  void Start(const Constraint& constraint) {
    hostname = constraint.hostname;
    shift = static_cast<double>(constraint.max_skew - 1);
    if (!hostname) bucket.assign(domains.size() + 1, 0);
  }
  // Call it when the buckets are known. scored: the number of feasible nodes that are not ignored. join: nodes without
  // the key are in the bucket of the value "", because upstream reads a missing label as "".
  void Count(const Constraint& constraint, const Inclusion& inclusion, uint32_t scored, bool join) {
    if (hostname) {
      weight = GoLog(static_cast<double>(scored) + 2);
      return;
    }
    pods.assign(domains.size() + 1, 0);
    AddPods(domains.of_row(), pods_of_row, inclusion.against(), inclusion.Barriers(constraint), pods);
    auto buckets = std::count(bucket.begin(), bucket.end(), uint8_t{1});
    for (uint32_t d = 0; join && d < domains.size(); ++d) {
      if (domains.Value(d) != BERTH_ID_EMPTY) continue;
      buckets -= bucket[0] & bucket[CellOf(d)];
      pods[CellOf(d)] += pods[0];
    }
    weight = GoLog(static_cast<double>(buckets) + 2);
    worth.resize(pods.size());
    std::transform(pods.begin(), pods.end(), worth.begin(), [this](int32_t count) { return Worth(count); });
    worth[0] = 0;
  }

  // Adds the raw scores of a chunk's rows to sums.
  void AddWorth(const RowChunk& rows, double* sums) const {
    std::array<uint32_t, kChunk> domain_room;
    const uint32_t* const domains_of = rows.Cells(domains.of_row().data(), domain_room.data());
    if (!hostname) return AddWorthOfCells(domains_of, worth.data(), rows.size(), sums);
    if (pods_of_row.empty()) return AddWorthOfEmptyRows(domains_of, shift, rows.size(), sums);
    std::array<int32_t, kChunk> pods_room;
    AddWorthOfRows(domains_of, rows.Cells(pods_of_row.data(), pods_room.data()), weight, shift, rows.size(), sums);
  }
};

struct SoftState {
  Constraints constraints;
  Inclusion inclusion;
  std::vector<SoftCounts> counts;  // the first constraints.size() are in use
  bool need_keys = true;           // true: a node without some key is ignored; false: it only scores 0 for that key
  bool keys_lack = false;          // some feasible node lacks some key
  bool no_pods = false;            // no constraint counts any pod
  PairScores pairs;                // if usable, Score returns normalized scores

  std::span<SoftCounts> used() { return {counts.data(), constraints.size()}; }
  std::span<const SoftCounts> used() const { return {counts.data(), constraints.size()}; }

  // Requires the domains, pods_of_row, and inclusion. Finds the buckets, counts their pods, and computes their weights.
  // nodes: the number of nodes in the cluster.
  void Count(const berth::sdk::Rows& feasible, uint32_t nodes) {
    for (size_t c = 0; c < constraints.size(); ++c) counts[c].Start(constraints[c]);
    const uint32_t scored = FindBuckets(feasible, nodes);
    for (size_t c = 0; c < constraints.size(); ++c) counts[c].Count(constraints[c], inclusion, scored, !need_keys);
    FindPairs(feasible);
  }

  bool Ignores(uint32_t row) const {
    if (!any_ignored()) return false;
    return std::any_of(used().begin(), used().end(), [row](const SoftCounts& one) { return !one.domains.Has(row); });
  }

  // Whether every feasible node has the same score.
  bool uniform() const { return no_pods && !keys_lack; }
  int64_t UniformScore() const {
    double sum = 0;
    for (const SoftCounts& one : used()) sum += one.Worth(0);
    return GoRound(sum);
  }

  void Score(const berth::sdk::Rows& rows, std::span<int64_t> out) const {
    if (pairs.usable()) {
      return EachRowChunk(rows, kChunk, [&](const RowChunk& chunk) { pairs.Score(chunk, out.data() + chunk.begin()); });
    }
    EachRowChunk(rows, kChunk, [&](const RowChunk& chunk) {
      std::array<double, kChunk> sums{};
      for (const SoftCounts& one : used()) one.AddWorth(chunk, sums.data());
      RoundAll(sums.data(), chunk.size(), out.data() + chunk.begin());
    });
    if (!any_ignored()) return;
    rows.ForEachLive([&](uint32_t i, uint32_t row) { out[i] = Ignores(row) ? 0 : out[i]; });
  }

  // The lowest raw score becomes 100. An ignored node scores 0.
  void Normalize(const berth::sdk::Rows& rows, std::span<int64_t> io) const {
    if (pairs.usable()) return;
    if (rows.dense() || any_ignored()) return NormalizeOneByOne(rows, io);
    const ScoreRange range = RangeOf(io.data(), io.size());
    const bool plain = range.least >= 0 && range.most >= 1 && static_cast<uint64_t>(range.most) <= PercentOf::kLargest;
    if (!plain) return NormalizeOneByOne(rows, io);
    FlipAll(range, io.data(), io.size());
  }

 private:
  bool any_ignored() const { return need_keys && keys_lack; }

  // One constraint by hostname and one by another key, which every feasible node has.
  void FindPairs(const berth::sdk::Rows& feasible) {
    pairs.Clear();
    if (constraints.size() != 2 || keys_lack || counts[0].hostname == counts[1].hostname) return;
    const SoftCounts &host = counts[counts[0].hostname ? 0 : 1], &other = counts[counts[0].hostname ? 1 : 0];
    if (host.pods_of_row.empty()) return;
    pairs.Find(feasible, other.domains.of_row().data(), other.domains.size(), host.pods_of_row.data(),
               [&](uint32_t domain, int32_t pods) { return GoRound(other.worth[CellOf(domain)] + host.Worth(pods)); });
  }

  void NormalizeOneByOne(const berth::sdk::Rows& rows, std::span<int64_t> io) const {
    ScoreRange range;
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      if (any_ignored() && Ignores(row)) return;
      range.least = std::min(range.least, io[i]);
      range.most = std::max(range.most, io[i]);
    });
    rows.ForEachLive(
        [&](uint32_t i, uint32_t row) { io[i] = any_ignored() && Ignores(row) ? 0 : Flipped(range, io[i]); });
  }

  // Returns the number of nodes that are not ignored. nodes: the number of nodes, feasible or not.
  uint32_t FindBuckets(const berth::sdk::Rows& feasible, uint32_t nodes) {
    keys_lack = std::any_of(used().begin(), used().end(),
                            [nodes](const SoftCounts& one) { return NodesWithKey(one.domains) != nodes; });
    if (keys_lack) return FindBucketsWhereKeysLack(feasible);
    const uint32_t scored = feasible.Count();
    for (SoftCounts& one : used()) {
      if (one.hostname) continue;
      if (scored == nodes) {
        MarkCells(one.domains, nullptr, 0, one.bucket.data());
        continue;
      }
      uint8_t* const bucket = one.bucket.data();
      const uint32_t* const domain_of_row = one.domains.of_row().data();
      feasible.ForEachLive([=](uint32_t, uint32_t row) { bucket[CellOf(domain_of_row[row])] = 1; });
    }
    return scored;
  }
  uint32_t FindBucketsWhereKeysLack(const berth::sdk::Rows& feasible) {
    uint32_t scored = 0;
    keys_lack = false;
    feasible.ForEachLive([&](uint32_t, uint32_t row) {
      bool lacks = false;
      for (const SoftCounts& one : used()) lacks |= !one.domains.Has(row);
      keys_lack |= lacks;
      if (lacks && need_keys) return;
      ++scored;
      for (SoftCounts& one : used()) {
        if (!one.hostname) one.bucket[CellOf(one.domains[row])] = 1;
      }
    });
    return scored;
  }
};

}  // namespace plugins::spread
