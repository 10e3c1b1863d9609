// The matching service for tests: the selectors of FakePods and those kept from FakeValues, by Kubernetes' rules. Error
// texts are those of k8s.io/apimachinery for operators and numbers of values; keys and values are not judged.
// Thread: as the service.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "berth/matching.h"
#include "berth/testing/checker.hpp"
#include "berth/testing/fake_relations.hpp"
#include "berth/testing/selectors.hpp"
#include "berth/testing/value.hpp"

namespace berth::sdk::testing {

// Why a selector does not compile; "" = it does.
inline std::string SelectorError(const berth_selector& selector) {
  for (const berth_label_requirement& one : List<berth_label_requirement>(selector.expressions)) {
    const std::string op = TextOf(one.op);
    const bool listed = op == "In" || op == "NotIn";
    if (!listed && op != "Exists" && op != "DoesNotExist")
      return "\"" + op + "\" is not a valid label selector operator";
    if (listed && one.values.n == 0) {
      return "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty";
    }
    if (!listed && one.values.n != 0) {
      std::string values;
      for (const Id id : List<Id>(one.values)) values += (values.empty() ? "\"" : ",\"") + TextOf(id) + "\"";
      return "values: Invalid value: [" + values + "]: values set must be empty for exists and does not exist";
    }
  }
  return "";
}

// A metav1.LabelSelector as the host judges it: nil, or with an error, it matches nothing.
inline bool SelectorMatches(const berth_selector& selector, const berth_labels& labels) {
  if ((selector.has & BERTH_SELECTOR_SET) == 0 || !SelectorError(selector).empty()) return false;
  for (const berth_kv& pair : List<berth_kv>(selector.labels)) {
    if (Labels(&labels).Get(pair.key) != pair.value) return false;
  }
  for (const berth_label_requirement& one : List<berth_label_requirement>(selector.expressions)) {
    Texts values;
    for (const Id id : List<Id>(one.values)) values.push_back(TextOf(id));
    if (!Meets(TextOf(one.op), values, LabelOf(&labels, one.key))) return false;
  }
  return true;
}

class FakeMatching {
 public:
  explicit FakeMatching(Checker& checker) : checker_(checker) {}
  FakeMatching(const FakeMatching&) = delete;

  // How many Keeps have not been given back.
  size_t kept() const {
    const std::lock_guard lock(mutex_);
    size_t n = 0;
    for (const auto& [content, one] : kept_) n += one.times;
    return n;
  }

  // Host has matching() and is what berth_host.impl points at.
  template <class Host>
  static berth_matching Table() {
    return {sizeof(berth_matching), 0, &Match, &Error<Host>, &Keep<Host>, &KeepMap<Host>, &Drop<Host>};
  }

 private:
  static constexpr uint32_t kKeeping = kSerial | kStarting | kActivating | kEnding;
  struct Kept {
    std::unique_ptr<Arena> arena;
    const berth_selector* view;
    size_t times;
  };

  template <class Host>
  static FakeMatching& Of(const berth_host* host) {
    return static_cast<Host*>(host->impl)->matching();
  }
  static int32_t Match(const berth_selector* selector, const berth_labels* labels) {
    return SelectorMatches(*selector, *labels) ? 1 : 0;
  }
  template <class Host>
  static berth_str Error(const berth_host* host, const berth_selector* selector) {
    Of<Host>(host).checker_.MayCall("matching error()", kAnywhere);
    static thread_local Arena shown;
    shown.Clear();
    return shown.Text(SelectorError(*selector));
  }
  template <class Host>
  static const berth_selector* Keep(const berth_host* host, const berth_value* document) {
    const Value selector(FakeValue::Table(), document);
    FakeSelector read{{}, {}, !selector.is_object()};
    const Value expressions = selector.Get("matchExpressions");
    for (uint32_t i = 0; i < expressions.size(); ++i) {
      const Value one = expressions[i], values = one.Get("values");
      read.expressions.push_back(
          {std::string(one.Get("key").AsString()), std::string(one.Get("operator").AsString()), {}});
      for (uint32_t v = 0; v < values.size(); ++v) read.expressions.back().values.emplace_back(values[v].AsString());
    }
    ReadPairs(selector.Get("matchLabels"), read);
    return Of<Host>(host).Add(read);
  }
  template <class Host>
  static const berth_selector* KeepMap(const berth_host* host, const berth_value* map) {
    const Value pairs(FakeValue::Table(), map);
    FakeSelector read{{}, {}, !pairs.is_object()};
    ReadPairs(pairs, read);
    return Of<Host>(host).Add(read);
  }
  template <class Host>
  static void Drop(const berth_host* host, const berth_selector* selector) {
    FakeMatching& self = Of<Host>(host);
    self.checker_.MayCall("matching drop()", kKeeping);
    const std::lock_guard lock(self.mutex_);
    for (auto at = self.kept_.begin(); at != self.kept_.end(); ++at) {
      if (at->second.view != selector) continue;
      if (--at->second.times == 0) self.kept_.erase(at);
      return;
    }
    self.checker_.Report("matching drop() of a selector that is not kept");
  }

  static void ReadPairs(const Value& map, FakeSelector& out) {
    for (uint32_t i = 0; i < map.size(); ++i) out.labels[std::string(map.KeyAt(i))] = std::string(map[i].AsString());
  }
  const berth_selector* Add(const FakeSelector& selector) {
    checker_.MayCall("matching keep()", kKeeping);
    auto arena = std::make_unique<Arena>();
    const berth_selector* view = RawSelector(*arena, selector);
    const std::lock_guard lock(mutex_);
    auto& kept = kept_.try_emplace(view->content, Kept{std::move(arena), view, 0}).first->second;
    return ++kept.times, kept.view;
  }

  Checker& checker_;
  mutable std::mutex mutex_;
  std::map<uint32_t, Kept> kept_;  // by content
};

}  // namespace berth::sdk::testing
