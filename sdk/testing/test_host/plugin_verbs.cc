// The verbs that belong to no attempt: VERB, the members of its document, and those of its answer.
#include <chrono>
#include <stdexcept>

#include "documents.h"
#include "test.h"

namespace berth::sdk::testing {
namespace {

FakeValue Nothing() { return FakeValue::Object(); }

FakeValue LogToJson(const std::vector<LogLine>& lines) {
  std::vector<FakeValue> all;
  for (const LogLine& line : lines) {
    std::vector<FakeValue> fields;
    for (const auto& [key, value] : line.fields) fields.push_back(FakeValue::Array({key, value}));
    all.push_back(FakeValue::Object({{"message", line.message}, {"fields", FakeValue::Array(std::move(fields))}}));
  }
  return FakeValue::Object({{"lines", FakeValue::Array(std::move(all))}});
}

FakeValue RequestsToJson(const std::vector<FakeRequest>& requests) {
  std::vector<FakeValue> all;
  for (const FakeRequest& one : requests) {
    all.push_back(FakeValue::Object({{"verb", one.verb},
                                     {"group", one.group},
                                     {"version", one.version},
                                     {"resource", one.resource},
                                     {"namespace", one.ns},
                                     {"name", one.name},
                                     {"subresource", one.subresource},
                                     {"content_type", one.content_type},
                                     {"body", one.body},
                                     {"url", one.url},
                                     {"authorization", one.authorization}}));
  }
  return FakeValue::Object({{"requests", FakeValue::Array(std::move(all))}});
}

// Answers the oldest open request.
FakeValue Reply(FakeApi& api, const Value& in) {
  const size_t waiting = api.unanswered();
  if (waiting == 0) return FakeValue::Object({{"answered", false}});
  api.Answer(api.requests().size() - waiting, {static_cast<int32_t>(in.Get("code").AsInt()), TextAt(in, "body"),
                                               TextAt(in, "reason"), TextAt(in, "message")});
  return FakeValue::Object({{"answered", true}});
}

FakeValue ArgsToJson(const ArgsOutcome& outcome) {
  std::vector<FakeValue> errors;
  for (const ArgsError& error : outcome.errors) {
    errors.push_back(FakeValue::Object({{"path", error.path}, {"text", error.text}}));
  }
  return FakeValue::Object({{"json", outcome.json}, {"errors", FakeValue::Array(std::move(errors))}});
}

FakeValue InterestsToJson(const std::vector<InterestOutcome>& interests) {
  std::vector<FakeValue> all;
  for (const InterestOutcome& one : interests) {
    all.push_back(FakeValue::Object({{"resource", one.resource}, {"actions", one.actions}, {"hint", one.hint}}));
  }
  return FakeValue::Object({{"interests", FakeValue::Array(std::move(all))}});
}

FakeValue HintsToJson(const PluginUnderTest::HintsOutcome& hints) {
  FakeValue answer = ToJson(static_cast<const Outcome&>(hints));
  answer.Set("queue", FakeValue::Array({hints.queue.begin(), hints.queue.end()}));
  return answer;
}

// Waits at most "ns" for a call: {"ended"}, and its outcome.
FakeValue Wait(berth_test& test, const Value& in) {
  const auto found = test.calls.find(in.Get("call").AsInt());
  if (found == test.calls.end()) throw std::logic_error("there is no such call");
  const std::chrono::nanoseconds time(in.Get("ns").AsInt());
  found->second.WaitFor(std::chrono::ceil<std::chrono::milliseconds>(time));
  FakeValue answer = found->second.ended() ? ToJson(found->second.outcome()) : Nothing();
  answer.Set("ended", found->second.ended());
  return answer;
}

}  // namespace

// t: the handle; i: the document.
#define VERB(...) [](berth_test& t, const Value& i) -> FakeValue { return (void)t, (void)i, __VA_ARGS__; }

const std::map<std::string_view, PluginVerb>& PluginVerbs() {
  static const std::map<std::string_view, PluginVerb> verbs = {
      // setup
      {"args", VERB(t.plugin.Args(FakeValue::CopyOf(i.Get("args").raw())), Nothing())},
      {"seed", VERB(t.plugin.host().Seed(static_cast<uint64_t>(i.Get("seed").AsInt())), Nothing())},
      {"add_node", VERB(AddNode(t.plugin.cluster(), i), Nothing())},  // a node
      {"add_waiting", VERB(t.plugin.host().AddWaiting(ReadPod(i.Get("pod"))), Nothing())},
      {"put", VERB(t.plugin.Put(TextAt(i, "kind"), ReadObject(i)), Nothing())},  // an object
      {"delete", VERB(t.plugin.Delete(TextAt(i, "kind"), TextAt(i, "name"), TextAt(i, "namespace")), Nothing())},
      // life cycle
      {"start", VERB(ToJson(t.plugin.Start()))},  // an outcome
      {"stop", VERB(t.plugin.Stop(), Nothing())},
      {"complete", VERB(ArgsToJson(t.plugin.Complete(FakeValue::CopyOf(i.Get("args").raw()))))},
      // calls
      {"attempt", VERB(FakeValue::Object({{"attempt", t.Keep(t.plugin.Try(ReadPod(i.Get("pod"))))}}))},
      {"wait", &Wait},
      {"advance", VERB(t.plugin.host().tasks().Advance(std::chrono::nanoseconds(i.Get("ns").AsInt())), Nothing())},
      {"reply", VERB(Reply(t.plugin.host().api(), i))},  // {"code", "body", "reason", "message"}: {"answered"}
      {"less", VERB(FakeValue::Object({{"less", t.plugin.Less(ReadQueued(i.Get("a")), ReadQueued(i.Get("b")))}}))},
      {"interests", VERB(InterestsToJson(t.plugin.Interests()))},
      {"hints", VERB(HintsToJson(t.plugin.Hints(ReadEvent(i.Get("event")), ReadEach(i.Get("pods"), ReadPod))))},
      {"deltas", VERB(t.plugin.Deltas(ReadEach(i.Get("changes"), ReadDelta)), Nothing())},
      {"dump", VERB(FakeValue::Object({{"text", t.plugin.Dump()}}))},
      {"save", VERB(FakeValue::Object({{"state", BytesToJson(t.plugin.Save())}}))},
      {"load", VERB(ToJson(t.plugin.LoadState(TextAt(i, "version"), ReadBytes(i.Get("state")))))},
      {"describe",
       VERB(FakeValue::Object({{"state", BytesToJson(t.plugin.Describe(ReadPod(i.Get("pod")), TextAt(i, "node")))}}))},
      {"adopt", VERB(t.plugin.Adopt(ReadPod(i.Get("pod")), TextAt(i, "node"), ReadBytes(i.Get("state"))), Nothing())},
      {"settle", VERB(t.plugin.Settle(ReadPod(i.Get("pod")), i.Get("bound").AsBool()), Nothing())},
      // results
      {"log", VERB(LogToJson(t.plugin.host().Log()))},
      {"faults", VERB(FakeValue::Object({{"texts", ToJson(t.plugin.host().checker().Faults())}}))},
      {"violations", VERB(FakeValue::Object({{"texts", ToJson(t.plugin.Violations())}}))},
      {"unseen_violations", VERB(FakeValue::Object({{"texts", ToJson(t.plugin.host().checker().Unseen())}}))},
      {"metrics", VERB(FakeValue::Object({{"texts", ToJson(t.plugin.host().metrics().Lines())}}))},
      {"requests", VERB(RequestsToJson(t.plugin.host().api().requests()))},
      {"events", VERB(FakeValue::Object({{"texts", ToJson(t.plugin.host().api().events())}}))},
      {"activated", VERB(FakeValue::Object({{"uids", ToJson(t.plugin.host().tasks().activated())}}))},
      {"bindings", VERB(FakeValue::Object({{"texts", ToJson(t.plugin.host().bindings())}}))},  // "uid -> node"
      {"decided", VERB(FakeValue::Object({{"allowed", ToJson(t.plugin.host().allowed())},
                                          {"rejected", ToJson(t.plugin.host().rejected())}}))},  // "uid: reason"
  };
  return verbs;
}

#undef VERB

}  // namespace berth::sdk::testing
