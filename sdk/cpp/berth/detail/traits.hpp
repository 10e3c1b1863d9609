// Finds the calls that a plugin class offers, and their style. A member with a known name and another signature is a
// compile error.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "berth/args.hpp"
#include "berth/calls.hpp"
#include "berth/cycle.hpp"
#include "berth/info.hpp"
#include "berth/objects.hpp"
#include "berth/rows.hpp"
#include "berth/status.hpp"

namespace berth::sdk::detail {

template <class R>
concept IsStatus = std::same_as<R, Status>;

// True if class P has any member of this name, because the name is then ambiguous with Probe's. Final classes are not
// checked, because no class can derive from them.
#define BERTH_DETAIL_NAME(NAME)                               \
  struct Probe##NAME {                                        \
    int NAME;                                                 \
  };                                                          \
  template <class P>                                          \
  struct Both##NAME : P, Probe##NAME {};                      \
  template <class P>                                          \
  constexpr bool Names##NAME() {                              \
    if constexpr (std::is_final_v<P>) {                       \
      return false;                                           \
    } else {                                                  \
      return !requires(Both##NAME<P> * both) { both->NAME; }; \
    }                                                         \
  }
BERTH_DETAIL_NAME(PreEnqueue)
BERTH_DETAIL_NAME(Less)
BERTH_DETAIL_NAME(PreFilter)
BERTH_DETAIL_NAME(Filter)
BERTH_DETAIL_NAME(PostFilter)
BERTH_DETAIL_NAME(PreScore)
BERTH_DETAIL_NAME(Score)
BERTH_DETAIL_NAME(Normalize)
BERTH_DETAIL_NAME(Reserve)
BERTH_DETAIL_NAME(Unreserve)
BERTH_DETAIL_NAME(Permit)
BERTH_DETAIL_NAME(PreFlight)
BERTH_DETAIL_NAME(PreBind)
BERTH_DETAIL_NAME(Bind)
BERTH_DETAIL_NAME(PostBind)
BERTH_DETAIL_NAME(Interests)
BERTH_DETAIL_NAME(Hint)
BERTH_DETAIL_NAME(Hints)
BERTH_DETAIL_NAME(Deltas)
BERTH_DETAIL_NAME(Dump)
BERTH_DETAIL_NAME(ObjectChanged)
BERTH_DETAIL_NAME(Save)
BERTH_DETAIL_NAME(Load)
BERTH_DETAIL_NAME(DescribeAttempt)
BERTH_DETAIL_NAME(Adopt)
BERTH_DETAIL_NAME(Settle)
BERTH_DETAIL_NAME(Commit)
BERTH_DETAIL_NAME(AddPod)
BERTH_DETAIL_NAME(RemovePod)
BERTH_DETAIL_NAME(CompleteArgs)
BERTH_DETAIL_NAME(CheckArgs)
BERTH_DETAIL_NAME(Activate)
BERTH_DETAIL_NAME(Deactivate)
#undef BERTH_DETAIL_NAME

// One concept per call and style: requires(P& p, ...arguments...) { the call } -> what it returns.
template <class P>
concept HasPreEnqueue = requires(P& p, Cycle& c, const Pod& pod) {
  { p.PreEnqueue(c, pod) } -> IsStatus;
};
template <class P>
concept HasLess = requires(P& p, const Queued& a) {
  { p.Less(a, a) } -> std::same_as<bool>;
};
template <class P>
concept HasPreFilterPlain = requires(P& p, Cycle& c, const Pod& pod) {
  { p.PreFilter(c, pod) } -> IsStatus;
};
template <class P>
concept HasPreFilterNames = requires(P& p, Cycle& c, const Pod& pod, NameSet& names) {
  { p.PreFilter(c, pod, names) } -> IsStatus;
};
template <class P>
concept HasFilterNode = requires(P& p, Cycle& c, const Pod& pod, Node node) {
  { p.Filter(c, pod, node) } -> std::convertible_to<berth_verdict>;
};
template <class P>
concept HasFilterBatch = requires(P& p, Cycle& c, const Pod& pod, Rows rows, std::span<berth_verdict> out) {
  { p.Filter(c, pod, rows, out) } -> IsStatus;
};
template <class P>
concept HasPostFilter = requires(P& p, Cycle& c, const Pod& pod, const Diagnosis& why, Nomination& out) {
  { p.PostFilter(c, pod, why, out) } -> IsStatus;
};
template <class P>
concept HasPreScore = requires(P& p, Cycle& c, const Pod& pod, Rows rows) {
  { p.PreScore(c, pod, rows) } -> IsStatus;
};
template <class P>
concept HasScoreNode = requires(P& p, Cycle& c, const Pod& pod, Node node) {
  { p.Score(c, pod, node) } -> std::integral;
};
template <class P>
concept HasScoreBatch = requires(P& p, Cycle& c, const Pod& pod, Rows rows, std::span<int64_t> out) {
  { p.Score(c, pod, rows, out) } -> IsStatus;
};
template <class P>
concept HasNormalize = requires(P& p, Cycle& c, const Pod& pod, Rows rows, std::span<int64_t> io) {
  { p.Normalize(c, pod, rows, io) } -> IsStatus;
};
template <class P>
concept HasReserve = requires(P& p, Cycle& c, const Pod& pod, Id node) {
  { p.Reserve(c, pod, node) } -> IsStatus;
};
template <class P>
concept HasUnreserve = requires(P& p, Cycle& c, const Pod& pod, Id node) {
  { p.Unreserve(c, pod, node) } -> std::same_as<void>;
};
template <class P>
concept HasPermit = requires(P& p, Cycle& c, const Pod& pod, Id node, std::chrono::nanoseconds& wait) {
  { p.Permit(c, pod, node, wait) } -> IsStatus;
};
template <class P>
concept HasPreFlight = requires(P& p, Cycle& c, const Pod& pod, Id node) {
  { p.PreFlight(c, pod, node) } -> IsStatus;
};
template <class P>
concept HasPreBindPlain = requires(P& p, Cycle& c, const Pod& pod, Id node) {
  { p.PreBind(c, pod, node) } -> IsStatus;
};
template <class P>
concept HasPreBindLater = requires(P& p, Cycle& c, const Pod& pod, Id node, Op& op) {
  { p.PreBind(c, pod, node, op) } -> IsStatus;
};
template <class P>
concept HasBindPlain = requires(P& p, Cycle& c, const Pod& pod, Id node) {
  { p.Bind(c, pod, node) } -> IsStatus;
};
template <class P>
concept HasBindLater = requires(P& p, Cycle& c, const Pod& pod, Id node, Op& op) {
  { p.Bind(c, pod, node, op) } -> IsStatus;
};
template <class P>
concept HasPostBind = requires(P& p, Cycle& c, const Pod& pod, Id node) {
  { p.PostBind(c, pod, node) } -> std::same_as<void>;
};
template <class R>
concept IsInterests = std::ranges::input_range<R> && std::convertible_to<std::ranges::range_reference_t<R>, Interest>;
template <class P>
concept HasInterestsCall = requires(P& p) {
  { p.Interests() } -> IsInterests;
};
template <class P>
concept HasInterestsList = IsInterests<decltype((P::kInterests))>;
template <class P>
concept HasHint = requires(P& p, Cycle& c, const Event& event, const Pod& pod) {
  { p.Hint(c, event, pod) } -> std::same_as<bool>;
};
template <class P>
concept HasHints = requires(P& p, Cycle& c, const Event& event, Pods pods, std::span<uint8_t> queue) {
  { p.Hints(c, event, pods, queue) } -> IsStatus;
};
template <class P>
concept HasDeltas = requires(P& p, List<berth_delta> deltas) {
  { p.Deltas(deltas) } -> std::same_as<void>;
};
template <class P>
concept HasDump = requires(P& p) {
  { p.Dump() } -> std::convertible_to<std::string>;
};
template <class P>
concept HasObjectChanged = requires(P& p, ObjectKind kind, Object object) {
  { p.ObjectChanged(kind, object, object) } -> std::same_as<void>;
};
// State for the instance that replaces this one; see berth/handover.h.
template <class P>
concept HasSave = requires(P& p) {
  { p.Save() } -> std::convertible_to<std::string>;
};
template <class P>
concept HasLoad = requires(P& p, std::string_view text) {
  { p.Load(text, text) } -> IsStatus;
};
template <class P>
concept HasDescribeAttempt = requires(P& p, const Pod& pod, Id node) {
  { p.DescribeAttempt(pod, node) } -> std::convertible_to<std::string>;
};
template <class P>
concept HasAdopt = requires(P& p, const Pod& pod, Id node, std::string_view state) {
  { p.Adopt(pod, node, state) } -> std::same_as<void>;
};
template <class P>
concept HasSettle = requires(P& p, const Pod& pod, bool bound) {
  { p.Settle(pod, bound) } -> std::same_as<void>;
};
template <class P>
concept HoldsNoAttempts = requires {
  requires P::kHoldsNoAttempts;
};
// Preparing the instance that replaces this one with other args; see berth/draft/succession.h.
template <class P>
concept HasSuccession = std::constructible_from<P, Host&, P&>;
template <class P>
concept HasCommit = requires(P& p, P& before) {
  { p.Commit(before) } -> std::same_as<void>;
};
template <class P>
concept HasAddPod = requires(P& p, Cycle& c, const Pod& pod, Node node) {
  { p.AddPod(c, pod, pod, node) } -> IsStatus;
};
template <class P>
concept HasRemovePod = requires(P& p, Cycle& c, const Pod& pod, Node node) {
  { p.RemovePod(c, pod, pod, node) } -> IsStatus;
};
template <class P>
concept HasCompleteArgs = requires(ArgsReader& in, JsonWriter& out) {
  { P::CompleteArgs(in, out) } -> std::same_as<void>;
};
template <class P>
concept HasCheckArgs = requires(ArgsReader& in) {
  { P::CheckArgs(in) } -> std::same_as<void>;
};
template <class R>
concept IsStatusOrVoid = IsStatus<R> || std::same_as<R, void>;
template <class P>
concept HasActivate = requires(P& p) {
  { p.Activate() } -> IsStatusOrVoid;
};
template <class P>
concept HasDeactivate = requires(P& p) {
  { p.Deactivate() } -> std::same_as<void>;
};

template <class P>
inline constexpr bool kHasPodChange = HasAddPod<P> || HasRemovePod<P>;
template <class P>
inline constexpr bool kHasInterests = HasInterestsCall<P> || HasInterestsList<P>;

// The allowed signature of each name, in an error message at the author's class.
template <class P>
consteval bool CheckSignatures() {
  static_assert(
      requires {
        { P::kInfo } -> std::convertible_to<const Info&>;
      },
      "a plugin declares: static constexpr berth::sdk::Info kInfo{.name = \"...\"}");
  static_assert(std::constructible_from<P, Host&> || std::default_initializable<P>,
                "a plugin is constructed from (berth::sdk::Host&)");
#define BERTH_DETAIL_CHECK(NAME, OFFERED, SIGNATURE) \
  static_assert(!Names##NAME<P>() || (OFFERED), #NAME " must be public and look like: " SIGNATURE)
  BERTH_DETAIL_CHECK(PreEnqueue, HasPreEnqueue<P>, "Status PreEnqueue(Cycle&, const Pod&)");
  BERTH_DETAIL_CHECK(Less, HasLess<P>, "bool Less(const Queued&, const Queued&)");
  BERTH_DETAIL_CHECK(PreFilter, HasPreFilterPlain<P> != HasPreFilterNames<P>,
                     "Status PreFilter(Cycle&, const Pod&) or Status PreFilter(Cycle&, const Pod&, NameSet&)");
  BERTH_DETAIL_CHECK(Filter, HasFilterNode<P> != HasFilterBatch<P>,
                     "Verdict Filter(Cycle&, const Pod&, Node) or "
                     "Status Filter(Cycle&, const Pod&, Rows, std::span<berth_verdict>)");
  BERTH_DETAIL_CHECK(PostFilter, HasPostFilter<P>,
                     "Status PostFilter(Cycle&, const Pod&, const Diagnosis&, Nomination&)");
  BERTH_DETAIL_CHECK(PreScore, HasPreScore<P>, "Status PreScore(Cycle&, const Pod&, Rows)");
  BERTH_DETAIL_CHECK(Score, HasScoreNode<P> != HasScoreBatch<P>,
                     "int64_t Score(Cycle&, const Pod&, Node) or "
                     "Status Score(Cycle&, const Pod&, Rows, std::span<int64_t>)");
  BERTH_DETAIL_CHECK(Normalize, HasNormalize<P> && (HasScoreNode<P> || HasScoreBatch<P>),
                     "Status Normalize(Cycle&, const Pod&, Rows, std::span<int64_t>), beside a Score");
  BERTH_DETAIL_CHECK(Reserve, HasReserve<P>, "Status Reserve(Cycle&, const Pod&, Id node)");
  BERTH_DETAIL_CHECK(Unreserve, HasUnreserve<P>, "void Unreserve(Cycle&, const Pod&, Id node)");
  BERTH_DETAIL_CHECK(Permit, HasPermit<P>,
                     "Status Permit(Cycle&, const Pod&, Id node, std::chrono::nanoseconds& wait)");
  BERTH_DETAIL_CHECK(PreFlight, HasPreFlight<P> && (HasPreBindPlain<P> || HasPreBindLater<P>),
                     "Status PreFlight(Cycle&, const Pod&, Id node), beside a PreBind");
  BERTH_DETAIL_CHECK(PreBind, HasPreBindPlain<P> != HasPreBindLater<P>,
                     "Status PreBind(Cycle&, const Pod&, Id node) or Status PreBind(Cycle&, const Pod&, Id node, Op&)");
  BERTH_DETAIL_CHECK(Bind, HasBindPlain<P> != HasBindLater<P>,
                     "Status Bind(Cycle&, const Pod&, Id node) or Status Bind(Cycle&, const Pod&, Id node, Op&)");
  BERTH_DETAIL_CHECK(PostBind, HasPostBind<P>, "void PostBind(Cycle&, const Pod&, Id node)");
  BERTH_DETAIL_CHECK(Interests, HasInterestsCall<P> && !HasInterestsList<P>,
                     "std::vector<Interest> Interests(), and no kInterests beside it");
  BERTH_DETAIL_CHECK(Hint, HasHint<P> && !HasHints<P> && kHasInterests<P>,
                     "bool Hint(Cycle&, const Event&, const Pod&), beside kInterests or Interests()");
  BERTH_DETAIL_CHECK(
      Hints, HasHints<P> && !HasHint<P> && kHasInterests<P>,
      "Status Hints(Cycle&, const Event&, Pods, std::span<uint8_t> queue), beside kInterests or Interests()");
  BERTH_DETAIL_CHECK(Deltas, HasDeltas<P>, "void Deltas(List<berth_delta>)");
  BERTH_DETAIL_CHECK(Dump, HasDump<P> && HasDeltas<P>, "std::string Dump(), beside a Deltas");
  BERTH_DETAIL_CHECK(ObjectChanged, HasObjectChanged<P>, "void ObjectChanged(ObjectKind, Object before, Object now)");
  BERTH_DETAIL_CHECK(Save, HasSave<P> && HasLoad<P>, "std::string Save(), beside a Load");
  BERTH_DETAIL_CHECK(Load, HasLoad<P>, "Status Load(std::string_view version, std::string_view state)");
  BERTH_DETAIL_CHECK(DescribeAttempt, HasDescribeAttempt<P> && HasAdopt<P>,
                     "std::string DescribeAttempt(const Pod&, Id node), beside an Adopt");
  BERTH_DETAIL_CHECK(Adopt, HasAdopt<P>, "void Adopt(const Pod&, Id node, std::string_view state)");
  BERTH_DETAIL_CHECK(Settle, HasSettle<P> && HasAdopt<P>, "void Settle(const Pod&, bool bound), beside an Adopt");
  BERTH_DETAIL_CHECK(Commit, HasCommit<P> && HasSuccession<P>,
                     "void Commit(P& before), beside a constructor P(Host&, P& before)");
  BERTH_DETAIL_CHECK(AddPod, HasAddPod<P>, "Status AddPod(Cycle&, const Pod& pod, const Pod& added, Node)");
  BERTH_DETAIL_CHECK(RemovePod, HasRemovePod<P>, "Status RemovePod(Cycle&, const Pod& pod, const Pod& removed, Node)");
  BERTH_DETAIL_CHECK(CompleteArgs, HasCompleteArgs<P>, "static void CompleteArgs(ArgsReader&, JsonWriter&)");
  BERTH_DETAIL_CHECK(CheckArgs, HasCheckArgs<P> && HasCompleteArgs<P>,
                     "static void CheckArgs(ArgsReader&), beside a CompleteArgs");
  BERTH_DETAIL_CHECK(Activate, HasActivate<P>, "Status Activate() or void Activate()");
  BERTH_DETAIL_CHECK(Deactivate, HasDeactivate<P>, "void Deactivate()");
#undef BERTH_DETAIL_CHECK
  static_assert(!(requires { P::kNormalization; } && HasNormalize<P>),
                "a plugin has either kNormalization or Normalize()");
  return true;
}

}  // namespace berth::sdk::detail
