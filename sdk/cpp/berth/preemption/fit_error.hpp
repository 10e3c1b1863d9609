// Why no pods can be preempted, counted over nodes, with kube-scheduler's text. One thread.
// Source: k8s.io/kubernetes pkg/scheduler/framework/types.go (FitError.Error).
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::sdk::preemption {

// Nodes by reason list: reason lists are few, nodes many. Memory is kept from use to use.
class ReasonCounts {
 public:
  void Clear() { lists_.clear(), nodes_ = 0; }
  void Add(uint32_t reasons) {
    ++nodes_;
    // The newest first, because neighbors often fail for the same reason.
    for (auto at = lists_.rbegin(); at != lists_.rend(); ++at) {
      if (at->first == reasons) return void(++at->second);
    }
    lists_.emplace_back(reasons, 1);
  }

  uint32_t nodes() const { return nodes_; }  // all that were added
  const std::vector<std::pair<uint32_t, uint32_t>>& lists() const { return lists_; }

 private:
  std::vector<std::pair<uint32_t, uint32_t>> lists_;
  uint32_t nodes_ = 0;
};

// "0/3 nodes are available: 1 Insufficient cpu, 2 no victims." Sorted as strings, counts included.
class FitError {
 public:
  explicit FitError(uint32_t all_nodes) : all_nodes_(all_nodes) {}
  void Add(std::string_view reason, uint32_t nodes) {
    if (nodes > 0) counts_[std::string(reason)] += nodes;
  }
  std::string Text() const {
    std::vector<std::string> parts;
    for (const auto& [reason, nodes] : counts_) parts.push_back(std::to_string(nodes) + " " + reason);
    std::sort(parts.begin(), parts.end());
    std::string text = "0/" + std::to_string(all_nodes_) + " nodes are available:";
    for (size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? " " : ", ") + parts[i];
    if (!parts.empty()) text += '.';
    return text;
  }

 private:
  uint32_t all_nodes_;
  std::map<std::string, uint32_t> counts_;
};

// Several errors as one text: alone, or in brackets; every text once. They are sorted because the search starts at a
// random node, and a text that differs between attempts would change the pod. Source: k8s.io/apimachinery util/errors
// (Aggregate).
class ErrorTexts {
 public:
  void Clear() { texts_.clear(); }
  void Add(std::string_view text) {
    if (std::find(texts_.begin(), texts_.end(), text) == texts_.end()) texts_.emplace_back(text);
  }
  bool empty() const { return texts_.empty(); }
  std::string Text() const {
    std::vector<std::string> sorted = texts_;
    std::sort(sorted.begin(), sorted.end());
    std::string all;
    for (const std::string& text : sorted) all += (all.empty() ? "" : ", ") + text;
    return texts_.size() == 1 ? all : "[" + all + "]";
  }

 private:
  std::vector<std::string> texts_;
};

}  // namespace berth::sdk::preemption
