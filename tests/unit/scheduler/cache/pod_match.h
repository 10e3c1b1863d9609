// Builds sets of pods for tests from texts. A PodQuery owns the targets of its berth_pod_set.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "api/content.h"
#include "berth/pod_sets.h"

namespace berth::cache {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// `key op values`; a selector of one expression.
inline api::SelectorRef SelectorOf(api::InternTables& intern, const std::string& key, const std::string& op,
                                   const std::vector<std::string>& values) {
  api::SelectorPool pool;
  for (const std::string& value : values) pool.texts.push_back(value);
  pool.requirements.push_back({key, op, {0, static_cast<uint32_t>(values.size())}});
  return MakeSelector(intern, pool, {true, {}, {0, 1}});
}
// pairs: sorted by key.
inline api::SelectorRef SelectorOf(api::InternTables& intern, const Pairs& pairs) {
  api::SelectorPool pool;
  for (const auto& [key, value] : pairs) pool.labels.push_back({key, value});
  return MakeSelector(intern, pool, {true, {0, static_cast<uint32_t>(pairs.size())}, {}});
}

class PodQuery {
 public:
  explicit PodQuery(api::InternTables& intern, uint32_t flags = 0) : intern_(intern), set_{sizeof set_, flags, {}} {}
  PodQuery(const PodQuery&) = delete;

  // An empty list of namespaces means all namespaces.
  PodQuery& And(const std::vector<std::string>& namespaces, const Pairs& labels = {}, api::SelectorRef selector = {}) {
    berth_pod_match match{namespaces.empty() ? BERTH_POD_MATCH_EVERY_NAMESPACE : 0, 0, nullptr, {}, {}};
    std::vector<berth_kv>& pairs = pairs_.emplace_back();
    for (const auto& [key, value] : labels) pairs.push_back({IdOf(key), IdOf(value)});
    match.labels = {pairs.data(), static_cast<uint32_t>(pairs.size()), sizeof(berth_kv)};
    std::vector<berth_id>& ids = ids_.emplace_back();
    for (const std::string& ns : namespaces) ids.push_back(IdOf(ns));
    match.namespaces = {ids.data(), static_cast<uint32_t>(ids.size()), sizeof(berth_id)};
    if (selector) match.selector = &selectors_.emplace_back(std::move(selector))->abi;
    matches_.push_back(match);
    set_.all_of = {matches_.data(), static_cast<uint32_t>(matches_.size()), sizeof(berth_pod_match)};
    return *this;
  }
  PodQuery& InNoNamespace() { return matches_.back().flags = 0, *this; }
  const berth_pod_set& set() const { return set_; }

 private:
  berth_id IdOf(const std::string& text) { return owned_.emplace_back(intern_.ids, text).get(); }

  api::InternTables& intern_;
  berth_pod_set set_;
  std::vector<berth_pod_match> matches_;
  std::deque<std::vector<berth_kv>> pairs_;
  std::deque<std::vector<berth_id>> ids_;
  std::deque<base::OwnedId> owned_;
  std::deque<api::SelectorRef> selectors_;
};

}  // namespace berth::cache
