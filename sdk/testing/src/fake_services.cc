// The functions behind FakeHost's tables.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "berth/kept.h"
#include "berth/rows.hpp"
#include "berth/testing/fake_host.hpp"
#include "berth/testing/json.hpp"
#include "services.h"

namespace berth::sdk::testing {

struct FakeServices {
  using State = FakeHost::CycleState;

  static FakeHost& Of(const berth_host* host) { return *static_cast<FakeHost*>(host->impl); }
  static State& Of(const berth_cycle* cycle) { return *reinterpret_cast<State*>(const_cast<berth_cycle*>(cycle)); }
  static FakeSnapshot& Of(const berth_snap* snap) {
    return *reinterpret_cast<FakeSnapshot*>(const_cast<berth_snap*>(snap));
  }

  // ---- berth_host
  static const void* Service(const berth_host* host, const char* id) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("service()", kAnywhere);
    const auto at = self.tables_.find(id);
    return at == self.tables_.end() ? nullptr : at->second.data();
  }
  static void Because(const berth_host* host, berth_cycle* cycle, const berth_str* texts, uint32_t n) {
    FakeHost& self = Of(host);
    // A reply runs in a CallScope of the domain kNoCall, and may call because().
    const bool in_call = CallScope::Current() != nullptr && &CallScope::Current()->checker == &self.checker_;
    const uint32_t where = in_call ? kAnywhere : kAnywhere & ~static_cast<uint32_t>(kNoCall);
    CallScope* call = self.checker_.MayCall("because()", where, cycle);
    if (call != nullptr) call->because = TextsOf(texts, n);
  }
  static berth_id Intern(const berth_host* host, berth_str text) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("intern()", kAnywhere);
    const Id id = IdOf(View(text));
    const std::lock_guard lock(self.mutex_);
    ++self.owned_[id];
    return id;
  }
  static void Keep(const berth_host* host, berth_id id) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("keep()", kAnywhere);
    const std::lock_guard lock(self.mutex_);
    ++self.owned_[id];
  }
  static void Drop(const berth_host* host, berth_id id) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("drop()", kAnywhere);
    bool owned = false;
    {
      const std::lock_guard lock(self.mutex_);
      owned = self.owned_[id]-- > 0;
    }
    if (!owned) self.checker_.Report("drop() of the id of \"" + TextOf(id) + "\", which the instance does not own");
  }
  static berth_str Text(const berth_host* host, berth_id id) {
    Of(host).checker_.MayCall("text()", kAnywhere);
    return Borrow(Strings::Global().Text(id));
  }

  // ---- config and log
  static const berth_value* Args(const berth_host* host) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("config args()", kAnywhere);
    return self.shown_args_;
  }
  static berth_str Profile(const berth_host* host) { return Of(host).profile_; }
  static berth_str Name(const berth_host* host) { return Of(host).name_; }
  static int32_t Enabled(const berth_host* host, int32_t v) { return v <= Of(host).verbosity_ ? 1 : 0; }
  static void Log(const berth_host* host, int32_t severity, int32_t v, berth_str file, int32_t, berth_str msg,
                  const berth_str* keys, const berth_str* vals, uint32_t n) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("log()", kAnywhere);
    if (severity == BERTH_LOG_INFO && v > self.verbosity_) return;
    LogLine line{severity, v, std::string(View(file)), std::string(View(msg)), {}};
    for (uint32_t i = 0; i < n; ++i) line.fields.emplace_back(View(keys[i]), View(vals[i]));
    const std::lock_guard lock(self.mutex_);
    self.log_.push_back(std::move(line));
  }

  // ---- kept results
  static void RowChanged(const berth_host* host, uint32_t row) {
    Of(host).checker_.MayCall("kept row_changed()", kSerial);
    Of(host).changed_rows_.push_back(row);
  }
  static void AllChanged(const berth_host* host) {
    Of(host).checker_.MayCall("kept all_changed()", kSerial);
    Of(host).changed_rows_.push_back(FakeHost::kEveryRow);
  }

  // ---- documents
  static int32_t ParseText(const berth_host* host, berth_str text, void (*read)(void*, const berth_value*), void* ctx) {
    Of(host).checker_.MayCall("json parse()", kAnywhere);
    FakeValue document;
    try {
      document = ParseJson(View(text));
    } catch (const std::invalid_argument&) {
      return -1;
    }
    Arena arena;
    read(ctx, document.Show(arena));
    return 0;
  }

  // snapshot: only in a call of its cycle
  static FakeSnapshot& Snap(const berth_snap* snap) {
    CallScope* call = CallScope::Current();
    FakeSnapshot& self = Of(snap);
    if (call != nullptr && (call->cycle == nullptr || Of(call->cycle).snap != &self)) {
      call->checker.Report(std::string("a snapshot was used in ") + call->name + ", which is not of its cycle");
    }
    return self;
  }
  static uint32_t Rows(const berth_snap* s) { return static_cast<uint32_t>(Snap(s).cluster().rows().size()); }
  static uint32_t Nodes(const berth_snap* s) { return Snap(s).cluster().nodes(); }
  static const uint64_t* Live(const berth_snap* s) { return Snap(s).live(); }
  static berth_list Order(const berth_snap* s) { return Snap(s).order(); }
  static const berth_node* Node(const berth_snap* s, uint32_t row) { return Snap(s).Node(row); }
  static berth_list Pods(const berth_snap* s, uint32_t row) { return Snap(s).Pods(row); }
  static berth_list UsedPorts(const berth_snap* s, uint32_t row) { return Snap(s).UsedPorts(row); }
  static int64_t RowOf(const berth_snap* s, berth_id name) {
    const FakeCluster& cluster = Snap(s).cluster();
    return cluster.HasNode(TextOf(name)) ? static_cast<int64_t>(cluster.RowOf(TextOf(name))) : -1;
  }
  static int32_t Column(const berth_snap* s, uint32_t what, berth_id key, berth_column* out) {
    FakeSnapshot& snap = Snap(s);
    CallScope* call = CallScope::Current();
    if (what == BERTH_NODE_LABEL && call != nullptr && call->cycle != nullptr &&
        !Of(call->cycle).host->opened_.contains({what, key})) {
      call->checker.Report("the label column \"" + TextOf(key) + "\" was not opened in activate");
    }
    return snap.Column(what, key, out);
  }
  static berth_list SetItems(const berth_snap* s, uint32_t what, uint32_t set) { return Snap(s).SetItems(what, set); }
  static int32_t Image(const berth_snap* s, berth_id name, berth_image* out) { return Snap(s).Image(name, out); }
  static int32_t OpenColumn(const berth_host* host, uint32_t what, berth_id key) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("open_column()", kActivating);
    self.opened_.insert({what, key});
    return 0;
  }

  // ---- cycle
  static const berth_snap* CycleSnap(const berth_cycle* cycle) {
    Of(cycle).host->checker_.MayCall("cycle snap()", kInCycle, cycle);
    return reinterpret_cast<const berth_snap*>(Of(cycle).snap);
  }
  static void* Data(const berth_host* host, const berth_cycle* cycle, uint32_t slot) {
    Of(host).checker_.MayCall("cycle data()", kInCycle, cycle);
    return slot < 2 ? Of(cycle).data[slot] : nullptr;
  }
  static void SetData(const berth_host* host, berth_cycle* cycle, uint32_t slot, void* data);
  static uint32_t Reasons(const berth_host* host, berth_cycle* cycle, const berth_str* texts, uint32_t n) {
    FakeHost& self = Of(host);
    CallScope* call = self.checker_.MayCall("cycle reasons()", kInCycle, cycle);
    const std::lock_guard lock(self.mutex_);
    self.reasons_.emplace_back(TextsOf(texts, n), call == nullptr ? 0 : call->number);
    return static_cast<uint32_t>(self.reasons_.size());
  }
  static berth_list ReasonTexts(const berth_host* host, const berth_cycle* cycle, uint32_t reasons) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("cycle reason_texts()", kInCycle, cycle);
    const std::lock_guard lock(self.mutex_);
    if (reasons == 0 || reasons > self.reasons_.size()) return {nullptr, 0, sizeof(berth_str)};
    return self.reasons_[reasons - 1].raw;
  }
  static int32_t Cancelled(const berth_cycle* cycle) { return Of(cycle).cancelled ? 1 : 0; }
  static uint64_t Seed(const berth_host* host, const berth_cycle* cycle) {
    Of(host).checker_.MayCall("random seed()", kInCycle, cycle);
    return Of(host).seed_;
  }

  // ---- requests and selectors
  static berth_list RequestsOf(const berth_host* host, const berth_pod* pod, uint32_t flags) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("requests of()", kAnywhere & ~static_cast<uint32_t>(kNoCall));
    if (flags > 7) return {nullptr, 0, sizeof(berth_amount)};
    const Totals totals = EffectiveRequests(*pod->resources, flags);
    const Amounts amounts(totals.begin(), totals.end());
    const std::lock_guard lock(self.mutex_);
    return self.requests_.emplace_back(totals, Arena()).second.Records(RawAmounts(amounts));
  }
  static Complain Into(berth_error_sink sink, void* ctx, bool& bad) {
    return [sink, ctx, &bad](const std::string& path, const std::string& text) {
      bad = true;
      Arena arena;
      if (sink != nullptr) sink(ctx, arena.Text(path), arena.Text(text));
    };
  }
  static const berth_label_selector* CompileLabels(const berth_host* host, const berth_value* value,
                                                   berth_error_sink sink, void* ctx) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("selectors label_selector()", kAnywhere);
    bool bad = false;
    auto compiled = FakeLabelSelector::Read({FakeValue::Table(), value}, Into(sink, ctx, bad));
    if (bad) return nullptr;
    const std::lock_guard lock(self.mutex_);
    return reinterpret_cast<const berth_label_selector*>(&self.selectors_.emplace_back(std::move(compiled)));
  }
  static int32_t MatchLabels(const berth_label_selector* selector, const berth_labels* labels) {
    return reinterpret_cast<const FakeLabelSelector*>(selector)->Matches(labels) ? 1 : 0;
  }
  static const berth_node_affinity* CompileAffinity(const berth_host* host, const berth_value* value,
                                                    berth_error_sink sink, void* ctx) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("selectors node_affinity()", kAnywhere);
    bool bad = false;
    const FakePod pod = ReadNodeAffinity({FakeValue::Table(), value}, Into(sink, ctx, bad));
    if (bad) return nullptr;
    const std::lock_guard lock(self.mutex_);
    return self.affinities_.emplace_back(pod.Build())->pod.node_affinity;
  }
  template <class Match>
  static void MatchRows(const berth_snap* snap, const berth_rows* rows, uint64_t* out, Match&& match) {
    std::fill(out, out + (rows->n + 63) / 64, 0);
    sdk::Rows(rows).ForEachLive([&](uint32_t i, uint32_t row) {
      const berth_node* node = Snap(snap).Node(row);
      if (node != nullptr && match(*node)) out[i >> 6] |= uint64_t{1} << (i & 63);
    });
  }
  static void MatchRequired(const berth_host*, const berth_snap* snap, const berth_node_affinity* affinity,
                            const berth_rows* rows, uint64_t* out) {
    MatchRows(snap, rows, out, [&](const berth_node& node) { return AffinityMatches(*affinity, node); });
  }
  static void MatchTerm(const berth_host*, const berth_snap* snap, const berth_node_term* term, const berth_rows* rows,
                        uint64_t* out) {
    MatchRows(snap, rows, out, [&](const berth_node& node) { return TermMatches(*term, node); });
  }
  static int32_t MatchNode(const berth_host*, const berth_node* node, const berth_node_affinity* affinity) {
    return AffinityMatches(*affinity, *node) ? 1 : 0;
  }
  static berth_str TermErrors(const berth_host*, const berth_node_affinity*, uint32_t) { return Borrow(""); }

  // ---- domains and sets of pods
  // Copies the part of an answer that the caller has room for.
  template <class T>
  static int32_t Answer(const T& full, T* out) {
    const uint32_t size = std::min<uint32_t>(out->size, sizeof(T));
    std::memcpy(static_cast<void*>(out), &full, size);
    out->size = size;
    return 0;
  }
  static void MayCall(const char* function, uint32_t where) {
    if (CallScope* call = CallScope::Current()) call->checker.MayCall(function, where);
  }
  static void CheckSet(const berth_pod_set& set) {
    CallScope* call = CallScope::Current();
    if (call != nullptr && HasForeignSelector(set)) {
      call->checker.Report("a set of pods has a selector that is neither a pod's nor one the host keeps");
    }
  }
  static int32_t DomainsOf(const berth_snap* snap, berth_id key, berth_domains* out) {
    const CallScope* call = CallScope::Current();  // changes of pods are [parallel], but not with one another
    const bool pod_change =
        call != nullptr && (std::string_view(call->name) == "AddPod" || std::string_view(call->name) == "RemovePod");
    MayCall("domains of()", pod_change ? kInCycle : kSerial);
    return key == kNoId ? -1 : Answer(Snap(snap).Domains(key), out);
  }
  static int32_t Counts(const berth_snap* snap, const berth_pod_set* set, berth_pod_counts* out) {
    MayCall("pod_sets counts()", kSerial);
    CheckSet(*set);
    return Answer(Snap(snap).Counts(*set), out);
  }
  static int32_t Contains(const berth_host* host, const berth_pod_set* set, const berth_pod* pod) {
    Of(host).checker_.MayCall("pod_sets contains()", kAnywhere);
    CheckSet(*set);
    return PodSetHas(*set, *pod) ? 1 : 0;
  }

  // ---- binding and waiting
  static berth_status Bind(const berth_host* host, const berth_pod* pod, berth_id node, berth_op* op) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("binder bind()", kBinding);
    self.bindings_.push_back(std::string(View(pod->uid)) + " -> " + TextOf(node));
    const berth_str reason = Borrow(self.bind_reason_);
    op->done(op, self.bind_status_, &reason, self.bind_reason_.empty() ? 0u : 1u);
    return BERTH_LATER;
  }
  static void EachWaiting(const berth_host* host, void (*cb)(void*, const berth_pod*), void* ctx) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("waiting each()", kAnywhere);
    const auto waiting = self.waiting_;  // cb may end a wait
    for (const auto& pod : waiting) cb(ctx, pod->raw());
  }
  // Ends the wait of a pod and returns the pod; null: it was not waiting.
  static std::shared_ptr<const PodObject> EndWait(FakeHost& self, berth_str uid) {
    const auto at = std::find_if(self.waiting_.begin(), self.waiting_.end(),
                                 [&](const auto& one) { return View(one->pod.uid) == View(uid); });
    if (at == self.waiting_.end()) return nullptr;
    auto pod = *at;
    self.waiting_.erase(at);
    return pod;
  }
  static int32_t Allow(const berth_host* host, berth_str uid) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("waiting allow()", kAnywhere);
    const auto pod = EndWait(self, uid);
    if (pod != nullptr) self.allowed_.emplace_back(View(pod->pod.uid));
    return pod != nullptr ? 1 : 0;
  }
  static int32_t Reject(const berth_host* host, berth_str uid, berth_str reason) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("waiting reject()", kAnywhere);
    const auto pod = EndWait(self, uid);
    if (pod != nullptr) self.rejected_.push_back(std::string(View(pod->pod.uid)) + ": " + std::string(View(reason)));
    return pod != nullptr ? 1 : 0;
  }
};

void FakeServices::SetData(const berth_host* host, berth_cycle* cycle, uint32_t slot, void* data) {
  FakeHost& self = Of(host);
  const uint32_t where = slot == BERTH_SLOT_ATTEMPT ? kSerial | kBinding : static_cast<uint32_t>(kSerial);
  self.checker_.MayCall("cycle set_data()", where, cycle);
  State& state = Of(cycle);
  if (slot > 1) return self.checker_.Report("cycle set_data() with a slot that does not exist");
  if (data != nullptr && (state.data[0] == data || state.data[1] == data)) {
    return self.checker_.Report("cycle set_data() with data that is set already");
  }
  std::swap(state.data[slot], data);
  state.host->Free(data);
}

FakeHost::FakeHost()
    : face_{sizeof(berth_host),     BERTH_ABI_MINOR,        this,
            &FakeServices::Service, &FakeServices::Because, &FakeServices::Intern,
            &FakeServices::Keep,    &FakeServices::Drop,    &FakeServices::Text} {
  using S = FakeServices;
  Offer(BERTH_SERVICE_VALUE, *FakeValue::Table());
  Offer(BERTH_SERVICE_CONFIG, berth_config{sizeof(berth_config), 0, &S::Args, &S::Profile, &S::Name});
  Offer(BERTH_SERVICE_LOG, berth_log{sizeof(berth_log), 0, &S::Enabled, &S::Log});
  Offer(BERTH_SERVICE_SNAPSHOT,
        berth_snapshot{sizeof(berth_snapshot), 0, &S::Rows, &S::Nodes, &S::Live, &S::Order, &S::Node, &S::Pods,
                       &S::UsedPorts, &S::RowOf, &S::Column, &S::SetItems, &S::Image, &S::OpenColumn});
  Offer(BERTH_SERVICE_CYCLE, berth_cycles{sizeof(berth_cycles), 0, &S::CycleSnap, &S::Data, &S::SetData, &S::Reasons,
                                          &S::ReasonTexts, &S::Cancelled});
  Offer(BERTH_SERVICE_REQUESTS, berth_requests{sizeof(berth_requests), 0, &S::RequestsOf});
  Offer(BERTH_SERVICE_SELECTORS,
        berth_selectors{sizeof(berth_selectors), 0, &S::CompileLabels, &S::MatchLabels, &S::CompileAffinity,
                        &S::MatchRequired, &S::MatchTerm, &S::MatchNode, &S::TermErrors});
  Offer(BERTH_SERVICE_BINDER, berth_binder{sizeof(berth_binder), 0, &S::Bind});
  Offer(BERTH_SERVICE_WAITING, berth_waiting{sizeof(berth_waiting), 0, &S::EachWaiting, &S::Allow, &S::Reject});
  Offer(BERTH_SERVICE_RANDOM, berth_random{sizeof(berth_random), 0, &S::Seed});
  OfferObjects(*this);
  Offer(BERTH_SERVICE_TASKS, FakeTasks::Table());
  Offer(BERTH_SERVICE_API, FakeApi::Table());
  Offer(BERTH_SERVICE_HTTP, FakeApi::HttpTable());
  Offer(BERTH_SERVICE_JSON, berth_json{sizeof(berth_json), 0, &S::ParseText});
  Offer(BERTH_SERVICE_KEPT, berth_kept{sizeof(berth_kept), 0, &S::RowChanged, &S::AllChanged});
  Offer(BERTH_SERVICE_MATCHING, FakeMatching::Table());
  Offer(BERTH_SERVICE_METRICS, FakeMetrics::Table());
  Offer(BERTH_SERVICE_DOMAINS, berth_domain_columns{sizeof(berth_domain_columns), 0, &S::DomainsOf});
  Offer(BERTH_SERVICE_POD_SETS, berth_pod_sets{sizeof(berth_pod_sets), 0, &S::Counts, &S::Contains});
}

}  // namespace berth::sdk::testing
