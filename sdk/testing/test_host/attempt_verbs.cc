// The verbs of an attempt: the member "attempt" of their document is its number. Most verbs answer with an outcome,
// some with more members.
#include <stdexcept>

#include "documents.h"
#include "test.h"

namespace berth::sdk::testing {
namespace {

template <class Outcome_>
FakeValue With(const Outcome_& outcome, std::string_view key, FakeValue value) {
  FakeValue answer = ToJson(static_cast<const Outcome&>(outcome));
  answer.Set(key, std::move(value));
  return answer;
}

FakeValue PreFilter(berth_test&, Attempt& attempt, const Value&) {
  const PreFilterOutcome outcome = attempt.PreFilter();
  FakeValue answer = With(outcome, "names", ToJson(outcome.names));
  answer.Set("narrowed", outcome.narrowed);
  return answer;
}

FakeValue Filter(berth_test&, Attempt& attempt, const Value&) {
  const FilterOutcome outcome = attempt.Filter();
  FakeValue nodes = FakeValue::Object();
  for (const auto& [node, verdict] : outcome.nodes) nodes.Set(node, ToJson(verdict));
  return With(outcome, "nodes", std::move(nodes));
}

FakeValue ScoresToJson(const ScoreOutcome& outcome) {
  FakeValue nodes = FakeValue::Object();
  for (const auto& [node, score] : outcome.nodes) nodes.Set(node, score);
  return With(outcome, "nodes", std::move(nodes));
}

std::map<std::string, int64_t> ReadNumbers(const Value& numbers) {
  std::map<std::string, int64_t> read;
  for (uint32_t i = 0; i < numbers.size(); ++i) read.emplace(numbers.KeyAt(i), numbers[i].AsInt());
  return read;
}

// {"said": {NODE: BERTH_*}, "absent": BERTH_*}: {"mode": BERTH_NOMINATE_*, "node"}.
FakeValue PostFilter(berth_test&, Attempt& attempt, const Value& in) {
  std::map<std::string, berth_status> said;
  for (const auto& [node, code] : ReadNumbers(in.Get("said"))) said[node] = static_cast<berth_status>(code);
  const auto outcome = attempt.PostFilter(said, static_cast<berth_status>(in.Get("absent").AsInt()));
  FakeValue answer = With(outcome, "node", outcome.node);
  answer.Set("mode", outcome.mode);
  return answer;
}

FakeValue Permit(berth_test&, Attempt& attempt, const Value& in) {
  const PermitOutcome outcome = attempt.Permit(TextAt(in, "node"));
  return With(outcome, "wait_ns", outcome.wait.count());
}

FakeValue StartPreBind(berth_test& test, Attempt& attempt, const Value& in) {
  test.calls.emplace(++test.numbers, attempt.StartPreBind(TextAt(in, "node")));
  return FakeValue::Object({{"call", test.numbers}});
}

FakeValue Trial(berth_test& test, Attempt& attempt, const Value&) {
  auto trial = attempt.Trial();
  if (attempt.cycle().data[BERTH_SLOT_CYCLE] != nullptr && trial->cycle().data[BERTH_SLOT_CYCLE] == nullptr) {
    throw std::runtime_error("cycle_clone failed");
  }
  return FakeValue::Object({{"attempt", test.Keep(std::move(trial))}});
}

FakeValue End(berth_test& test, Attempt&, const Value& in) {
  test.attempts.erase(in.Get("attempt").AsInt());
  test.asked = nullptr;
  return FakeValue::Object();
}

}  // namespace

// a: the attempt; i: the document; n: its member "node".
#define VERB(...)                                            \
  [](berth_test&, Attempt& a, const Value& i) -> FakeValue { \
    const std::string n = TextAt(i, "node");                 \
    return (void)a, __VA_ARGS__;                             \
  }

const std::map<std::string_view, AttemptVerb>& AttemptVerbs() {
  static const std::map<std::string_view, AttemptVerb> verbs = {
      {"pre_enqueue", VERB(ToJson(a.PreEnqueue()))},
      {"pre_filter", &PreFilter},  // and "narrowed", "names"
      {"filter", &Filter},         // and "nodes": {NODE: outcome}
      {"post_filter", &PostFilter},
      {"pre_score", VERB(ToJson(a.PreScore()))},
      {"score", VERB(ScoresToJson(a.Score()))},                                      // and "nodes": {NODE: score}
      {"normalize", VERB(ScoresToJson(a.Normalize(ReadNumbers(i.Get("scores")))))},  // as score
      {"reserve", VERB(ToJson(a.Reserve(n)))},
      {"unreserve", VERB(a.Unreserve(n), FakeValue::Object())},
      {"permit", &Permit},  // and "wait_ns"
      {"pre_flight", VERB(ToJson(a.PreFlight(n)))},
      {"pre_bind", VERB(ToJson(a.PreBind(n)))},
      {"start_pre_bind", &StartPreBind},  // {"call"}: see the verb "wait"
      {"bind", VERB(ToJson(a.Bind(n)))},
      {"post_bind", VERB(a.PostBind(n), FakeValue::Object())},
      {"cancel", VERB(a.Cancel(), FakeValue::Object())},
      {"trial", &Trial},  // {"attempt"}
      {"add_pod", VERB(ToJson(a.AddPod(ReadPod(i.Get("pod")), n)))},
      {"remove_pod", VERB(ToJson(a.RemovePod(ReadPod(i.Get("pod")), n)))},
      {"end_attempt", &End},
  };
  return verbs;
}

#undef VERB

}  // namespace berth::sdk::testing
