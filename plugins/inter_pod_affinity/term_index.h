// The terms of existing pods without duplicates, each with the number of its pods on every row. The delta feed keeps
// the index up to date. Scheduling a pod therefore costs one match per distinct term, regardless of the number of pods,
// and pods without terms cost nothing. Owned by the plugin instance; [serial].
//
// Ownership: ids are kept as long as any pod has the term. Selectors are blocks that equal terms share, and that live
// as long as any of their pods is on a row.
#pragma once

#include <berth/host.hpp>
#include <berth/views.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "terms.h"
#include "topology.h"

namespace plugins::inter_pod {

using berth::sdk::Host;

// The effect of a matching term on the pod.
enum class Effect : uint8_t {
  kForbids,  // required anti-affinity: the domain is closed
  kScores,   // the domain gains or loses the weight, once per pod
  kEffects
};

struct ExistingTerm {
  Effect effect = Effect::kForbids;
  int32_t weight = 0;  // for kScores; negative: anti-affinity
  Id topology_key = berth::sdk::kNoId;
  const berth_selector* selector = nullptr;
  const berth_selector* namespace_selector = nullptr;
  std::vector<Id> namespaces;  // sorted; the owner's if the term names none
  std::vector<RowCount> rows;  // by row; a pod counts once for each time it has the term
  uint32_t users = 0;          // owners' lists that contain it

  bool SelectsNamespaces() const { return (namespace_selector->has & BERTH_SELECTOR_SET) != 0; }
};

class TermIndex {
 public:
  // hard_weight: the weight of a required affinity term for the pods that it matches; 0: such terms are not indexed.
  TermIndex(Host& host, int32_t hard_weight) : host_(host), hard_weight_(hard_weight) {}
  TermIndex(const TermIndex&) = delete;

  // bad(const berth_pod_affinity&) -> one bit for each TermKind whose list is invalid. Called for affinities that are
  // new in the index.
  template <class Fn>
  void Add(uint32_t row, const berth_pod& pod, Fn&& bad) {
    if (!HasTerms(*pod.pod_affinity)) return;
    Owner& owner = owners_[KeyOf(pod)];
    if (owner.pods++ == 0) owner.terms = Register(pod, bad(*pod.pod_affinity));
    for (const uint32_t term : owner.terms) Count(terms_[term].rows, row, +1);
  }
  void Remove(uint32_t row, const berth_pod& pod) {
    if (!HasTerms(*pod.pod_affinity)) return;
    const auto found = owners_.find(KeyOf(pod));
    if (found == owners_.end()) throw std::logic_error("a pod left a row that never came to it");
    Owner& owner = found->second;
    for (const uint32_t term : owner.terms) Count(terms_[term].rows, row, -1);
    if (--owner.pods != 0) return;
    for (const uint32_t term : owner.terms) Release(term);
    owners_.erase(found);
  }

  bool empty() const { return owners_.empty(); }
  // Changes when a term is added or removed.
  uint64_t version() const { return version_; }
  const ExistingTerm& term(uint32_t i) const { return terms_[i]; }

  // Calls fn(i, term) for the terms that may concern pods of this namespace: those that list it, and those with a
  // selector.
  template <class Fn>
  void EachAbout(Id ns, Fn&& fn) const {
    if (const auto found = by_namespace_.find(ns); found != by_namespace_.end()) {
      for (const uint32_t i : found->second) fn(i, terms_[i]);
    }
    for (const uint32_t i : selecting_) fn(i, terms_[i]);
  }

  // Equal for equal counts, regardless of the history.
  std::string Dump() const {
    std::vector<std::string> lines;
    for (const ExistingTerm& term : terms_) {
      if (term.users != 0) lines.push_back(Line(term));
    }
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
  }

 private:
  // The pods of one namespace with one block of affinity.
  struct Owner {
    uint32_t pods = 0;
    std::vector<uint32_t> terms;  // with repetitions if pods repeat a term
  };

  static uint64_t KeyOf(const berth_pod& pod) { return uint64_t{pod.pod_affinity->content} << 32 | pod.ns; }

  static void Count(std::vector<RowCount>& rows, uint32_t row, int32_t by) {
    const auto at = std::lower_bound(rows.begin(), rows.end(), row,
                                     [](const RowCount& one, uint32_t wanted) { return one.row < wanted; });
    if (at == rows.end() || at->row != row) {
      rows.insert(at, {row, by});
    } else if ((at->count += by) == 0) {
      rows.erase(at);
    }
  }

  std::vector<uint32_t> Register(const berth_pod& pod, uint32_t bad) {
    std::vector<uint32_t> list;
    for (const TermKind kind : {kRequired, kAntiRequired, kPreferred, kAntiPreferred}) {
      if ((bad >> kind & 1) != 0 || (kind == kRequired && hard_weight_ <= 0)) continue;
      for (const berth_pod_term& term : TermsOf(*pod.pod_affinity, kind)) {
        const int32_t weight = kind == kRequired        ? hard_weight_
                               : kind == kPreferred     ? term.weight
                               : kind == kAntiPreferred ? -term.weight
                                                        : 0;
        list.push_back(Hold(kind == kAntiRequired ? Effect::kForbids : Effect::kScores, weight, term, pod.ns));
      }
    }
    return list;
  }

  uint32_t Hold(Effect effect, int32_t weight, const berth_pod_term& raw, Id owner) {
    std::vector<Id> namespaces;
    for (const Id id : List<Id>(raw.namespaces)) namespaces.push_back(id);
    if (IsAboutOwnNamespace(raw)) namespaces.push_back(owner);
    std::sort(namespaces.begin(), namespaces.end());
    namespaces.erase(std::unique(namespaces.begin(), namespaces.end()), namespaces.end());
    std::vector<uint32_t> identity = {static_cast<uint32_t>(effect), static_cast<uint32_t>(weight), raw.topology_key,
                                      raw.selector->content, raw.namespace_selector->content};
    identity.insert(identity.end(), namespaces.begin(), namespaces.end());
    const auto [found, is_new] = numbers_.try_emplace(std::move(identity), 0);
    if (is_new) {
      found->second =
          Make({effect, weight, raw.topology_key, raw.selector, raw.namespace_selector, std::move(namespaces), {}, 0});
    }
    ++terms_[found->second].users;
    return found->second;
  }

  uint32_t Make(ExistingTerm term) {
    host_.Keep(term.topology_key);
    for (const Id ns : term.namespaces) host_.Keep(ns);
    uint32_t number = static_cast<uint32_t>(terms_.size());
    if (free_.empty()) {
      terms_.emplace_back();
    } else {
      number = free_.back();
      free_.pop_back();
    }
    terms_[number] = std::move(term);
    EachList(terms_[number], [number](std::vector<uint32_t>& list) { list.push_back(number); });
    ++version_;
    return number;
  }

  void Release(uint32_t number) {
    ExistingTerm& term = terms_[number];
    if (--term.users != 0) return;
    std::vector<uint32_t> identity = {static_cast<uint32_t>(term.effect), static_cast<uint32_t>(term.weight),
                                      term.topology_key, term.selector->content, term.namespace_selector->content};
    identity.insert(identity.end(), term.namespaces.begin(), term.namespaces.end());
    numbers_.erase(identity);
    EachList(term, [number](std::vector<uint32_t>& list) {
      *std::find(list.begin(), list.end(), number) = list.back();
      list.pop_back();
    });
    for (const Id ns : term.namespaces) {
      if (const auto found = by_namespace_.find(ns); found != by_namespace_.end() && found->second.empty()) {
        by_namespace_.erase(found);
      }
      host_.Drop(ns);
    }
    host_.Drop(term.topology_key);
    term = ExistingTerm();
    free_.push_back(number);
    ++version_;
  }

  // The lists of EachAbout that contain a term.
  template <class Fn>
  void EachList(const ExistingTerm& term, Fn&& fn) {
    if (term.SelectsNamespaces()) return fn(selecting_);
    for (const Id ns : term.namespaces) fn(by_namespace_[ns]);
  }

  std::string Line(const ExistingTerm& term) const {
    std::vector<std::string> names;
    for (const Id ns : term.namespaces) names.emplace_back(host_.Text(ns));
    std::sort(names.begin(), names.end());
    std::string line = term.effect == Effect::kForbids ? "forbids" : "scores " + std::to_string(term.weight);
    line += " key=" + std::string(host_.Text(term.topology_key));
    line += " selector=" + std::to_string(term.selector->content);
    line += " namespaceSelector=" + std::to_string(term.namespace_selector->content) + " namespaces=";
    for (const std::string& name : names) line += name + ",";
    for (const RowCount& one : term.rows) line += " " + std::to_string(one.row) + ":" + std::to_string(one.count);
    return line;
  }

  struct IdentityHash {
    size_t operator()(const std::vector<uint32_t>& words) const {
      uint64_t hash = 0;
      for (const uint32_t word : words) hash = (hash ^ word) * 0x9E3779B97F4A7C15u + (hash >> 29);
      return static_cast<size_t>(hash);
    }
  };

  Host& host_;
  const int32_t hard_weight_;
  std::unordered_map<uint64_t, Owner> owners_;
  std::vector<ExistingTerm> terms_;  // users == 0: free
  std::vector<uint32_t> free_;
  std::unordered_map<std::vector<uint32_t>, uint32_t, IdentityHash> numbers_;
  std::unordered_map<Id, std::vector<uint32_t>> by_namespace_;  // terms without a namespace selector
  std::vector<uint32_t> selecting_;                             // terms with one
  uint64_t version_ = 1;
};

}  // namespace plugins::inter_pod
