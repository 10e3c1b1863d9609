#include "berth/testing/fake_matching.hpp"

#include <utility>

#include "berth/testing/fake_host.hpp"

namespace berth::sdk::testing {

std::string SelectorError(const berth_selector& selector) {
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

bool SelectorMatches(const berth_selector& selector, const berth_labels& labels) {
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

FakeMatching::FakeMatching(Checker& checker) : checker_(checker) {}

FakeMatching::~FakeMatching() = default;

size_t FakeMatching::kept() const {
  const std::lock_guard lock(mutex_);
  size_t n = 0;
  for (const auto& [content, one] : kept_) n += one.times;
  return n;
}

berth_matching FakeMatching::Table() { return {sizeof(berth_matching), 0, &Match, &Error, &Keep, &KeepMap, &Drop}; }

FakeMatching& FakeMatching::Of(const berth_host* host) { return static_cast<FakeHost*>(host->impl)->matching(); }

int32_t FakeMatching::Match(const berth_selector* selector, const berth_labels* labels) {
  return SelectorMatches(*selector, *labels) ? 1 : 0;
}

berth_str FakeMatching::Error(const berth_host* host, const berth_selector* selector) {
  Of(host).checker_.MayCall("matching error()", kAnywhere);
  static thread_local Arena shown;
  shown.Clear();
  return shown.Text(SelectorError(*selector));
}

const berth_selector* FakeMatching::Keep(const berth_host* host, const berth_value* document) {
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
  return Of(host).Add(read);
}

const berth_selector* FakeMatching::KeepMap(const berth_host* host, const berth_value* map) {
  const Value pairs(FakeValue::Table(), map);
  FakeSelector read{{}, {}, !pairs.is_object()};
  ReadPairs(pairs, read);
  return Of(host).Add(read);
}

void FakeMatching::Drop(const berth_host* host, const berth_selector* selector) {
  FakeMatching& self = Of(host);
  self.checker_.MayCall("matching drop()", kKeeping);
  const std::lock_guard lock(self.mutex_);
  for (auto at = self.kept_.begin(); at != self.kept_.end(); ++at) {
    if (at->second.view != selector) continue;
    if (--at->second.times == 0) self.kept_.erase(at);
    return;
  }
  self.checker_.Report("matching drop() of a selector that is not kept");
}

void FakeMatching::ReadPairs(const Value& map, FakeSelector& out) {
  for (uint32_t i = 0; i < map.size(); ++i) out.labels[std::string(map.KeyAt(i))] = std::string(map[i].AsString());
}

const berth_selector* FakeMatching::Add(const FakeSelector& selector) {
  checker_.MayCall("matching keep()", kKeeping);
  auto arena = std::make_unique<Arena>();
  const berth_selector* view = RawSelector(*arena, selector);
  const std::lock_guard lock(mutex_);
  auto& kept = kept_.try_emplace(view->content, Kept{std::move(arena), view, 0}).first->second;
  return ++kept.times, kept.view;
}

}  // namespace berth::sdk::testing
