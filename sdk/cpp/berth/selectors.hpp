// Selectors, compiled and matched by the host with Kubernetes' rules and error texts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/detail/services.hpp"
#include "berth/rows.hpp"
#include "berth/snapshot.hpp"
#include "berth/value.hpp"
#include "berth/views.hpp"

namespace berth::sdk {

// One bit per requested row: bit i belongs to the i-th row. Allocates only for more than 8,192 rows.
class RowBits {
 public:
  explicit RowBits(uint32_t n) : size_(n) {
    if (n > 64u * kOwn) more_.resize((n + 63u) / 64u);
  }
  bool operator[](uint32_t i) const { return (words()[i >> 6] >> (i & 63) & 1) != 0; }
  uint32_t size() const { return size_; }
  uint64_t* words() { return more_.empty() ? own_.data() : more_.data(); }
  const uint64_t* words() const { return more_.empty() ? own_.data() : more_.data(); }

 private:
  static constexpr uint32_t kOwn = 128;
  std::array<uint64_t, kOwn> own_{};
  std::vector<uint64_t> more_;
  uint32_t size_;
};

// A compiled metav1.LabelSelector; lives as long as the instance that compiled it.
class LabelSelector {
 public:
  LabelSelector() = default;  // nothing compiled
  LabelSelector(const berth_selectors* table, const berth_label_selector* raw) : table_(table), raw_(raw) {}
  explicit operator bool() const { return raw_ != nullptr; }
  // [parallel]
  bool Matches(const berth_labels* labels) const { return table_->match_labels(raw_, labels) != 0; }

 private:
  const berth_selectors* table_ = nullptr;
  const berth_label_selector* raw_ = nullptr;
};

// Receives one error of a compilation: path relative to the given value, and upstream's text.
using SelectorError = std::function<void(std::string_view path, std::string_view text)>;

class Selectors {
 public:
  Selectors(const berth_selectors* table, const berth_host* host) : table_(table), host_(host) {}

  // [any] Empty after errors. An absent value compiles to "matches nothing".
  LabelSelector Compile(const Value& selector, const SelectorError& error) const {
    return {table_, table_->label_selector(host_, selector.raw(), &Report, Context(error))};
  }
  // [any] A v1.NodeAffinity. Null after errors; lives as long as the instance.
  const berth_node_affinity* CompileNodeAffinity(const Value& affinity, const SelectorError& error) const {
    return table_->node_affinity(host_, affinity.raw(), &Report, Context(error));
  }

  // [parallel] nodeSelector AND required terms, for each row.
  RowBits MatchRequired(const Snapshot& snap, const berth_node_affinity& affinity, const Rows& rows) const {
    RowBits bits(rows.size());
    table_->match_required(host_, snap.raw(), &affinity, rows.raw(), bits.words());
    return bits;
  }
  // [parallel] One term alone. An empty term matches nothing.
  RowBits MatchTerm(const Snapshot& snap, const berth_node_term& term, const Rows& rows) const {
    RowBits bits(rows.size());
    table_->match_term(host_, snap.raw(), &term, rows.raw(), bits.words());
    return bits;
  }
  // [parallel] A node as an event shows it: nodeSelector AND required terms.
  bool MatchNode(const NodeView& node, const berth_node_affinity& affinity) const {
    return table_->match_node(host_, node.raw(), &affinity) != 0;
  }
  // [parallel] Parse errors of the terms as upstream prints them, "" = none. Valid until this thread's next use.
  std::string_view RequiredErrors(const berth_node_affinity& affinity) const {
    return View(table_->term_errors(host_, &affinity, 0));
  }
  std::string_view PreferredErrors(const berth_node_affinity& affinity) const {
    return View(table_->term_errors(host_, &affinity, 1));
  }

 private:
  static void Report(void* ctx, berth_str path, berth_str detail) {
    (*static_cast<const SelectorError*>(ctx))(View(path), View(detail));
  }
  static void* Context(const SelectorError& error) { return const_cast<SelectorError*>(&error); }

  const berth_selectors* table_;
  const berth_host* host_;
};

}  // namespace berth::sdk
