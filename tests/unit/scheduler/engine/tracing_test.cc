// The spans that an attempt leaves in the queue.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "telemetry/trace/current.h"
#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

// A scheduler that traces its attempts.
class Tracing : public testing::Test {
 protected:
  simulation::SimulationOptions Options(int32_t per_million) {
    tracer_ = std::make_unique<trace::Tracer>(trace::Sampler(per_million), queue_, 1);
    simulation::SimulationOptions options = TestScheduler::DefaultOptions();
    options.engine.tracer = tracer_.get();
    return options;
  }
  std::vector<trace::Span> Spans() { return queue_.Take(1000, std::chrono::nanoseconds(0)); }

  trace::SpanQueue queue_;
  std::unique_ptr<trace::Tracer> tracer_;
};

std::vector<std::string> NamesOf(const std::vector<trace::Span>& spans) {
  std::vector<std::string> names;
  for (const trace::Span& span : spans) names.push_back(span.name);
  return names;
}

const trace::Span& Root(const std::vector<trace::Span>& spans) { return spans.back(); }  // it ends last

std::map<std::string, std::string> TextsOf(const trace::Span& span) {
  std::map<std::string, std::string> texts;
  for (const trace::Attribute& attribute : span.attributes) {
    if (const auto* text = std::get_if<std::string>(&attribute.value)) texts[attribute.key] = *text;
  }
  return texts;
}

TEST_F(Tracing, AnAttemptThatBindsHasASpanForEachExtensionPoint) {
  TestScheduler rig({{}}, Options(1'000'000));
  rig.AddNodes({"n1", "n2"});
  rig.AddPod("p1");
  rig.Run();
  const auto spans = Spans();
  EXPECT_THAT(NamesOf(spans), ElementsAre("PreFilter", "Filter", "PreScore", "Score", "Reserve", "Permit",
                                          "PreBindPreFlight", "PreBind", "Bind", "PostBind", "SchedulingAttempt"));
  const trace::Span& root = Root(spans);
  EXPECT_EQ(root.parent, 0u);
  EXPECT_FALSE(root.failed);
  for (const trace::Span& span : spans) {
    EXPECT_EQ(span.context.trace_low, root.context.trace_low) << span.name;
    EXPECT_LE(root.began_unix_ns, span.began_unix_ns) << span.name;
    EXPECT_LE(span.began_unix_ns, span.ended_unix_ns) << span.name;
    EXPECT_LE(span.ended_unix_ns, root.ended_unix_ns) << span.name;
    if (&span != &root) {
      EXPECT_EQ(span.parent, root.context.span) << span.name;
    }
  }
  auto texts = TextsOf(root);
  EXPECT_EQ(texts["k8s.namespace.name"], "default");
  EXPECT_EQ(texts["k8s.pod.name"], "p1");
  EXPECT_EQ(texts["k8s.pod.uid"], rig.cluster.FindPod("default/p1")->uid());
  EXPECT_EQ(texts["k8s.node.name"], rig.story.entries.at(0).node);
  EXPECT_EQ(texts["berth.profile"], "default-scheduler");
  EXPECT_EQ(texts["berth.result"], "scheduled");
}

TEST_F(Tracing, AnAttemptWithoutAFeasibleNodeSaysWhy) {
  TestScheduler rig({{}}, Options(1'000'000));
  ScriptOf("A").filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
    verdict = sdk::Verdict::Unschedulable(c.Reasons("no"));
    return Status::Ok();
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  const auto spans = Spans();
  EXPECT_THAT(NamesOf(spans), ElementsAre("PreFilter", "Filter", "PostFilter", "SchedulingAttempt"));
  auto texts = TextsOf(Root(spans));
  EXPECT_EQ(texts["berth.result"], "unschedulable");
  EXPECT_EQ(texts["berth.message"], "0/1 nodes are available: 1 no.");
  EXPECT_FALSE(Root(spans).failed);  // a pod that does not fit is no fault
  EXPECT_EQ(TextsOf(spans[2])["berth.status"], "Unschedulable");
}

TEST_F(Tracing, AnErrorOfAPluginFailsItsSpanAndTheRoot) {
  TestScheduler rig({{}}, Options(1'000'000));
  ScriptOf("A").reserve = [](Cycle&, const Pod&, Id) { return Status::Error("disk on fire"); };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  const auto spans = Spans();
  ASSERT_THAT(NamesOf(spans), Contains("Reserve"));
  for (const trace::Span& span : spans) {
    if (span.name != "Reserve") continue;
    EXPECT_TRUE(span.failed);
    EXPECT_THAT(span.error, testing::HasSubstr("disk on fire"));
  }
  EXPECT_TRUE(Root(spans).failed);
}

TEST_F(Tracing, AWaitOnPermitIsASpan) {
  TestScheduler rig({{}}, Options(1'000'000));
  ScriptOf("A").permit = [](Cycle&, const Pod&, Id, std::chrono::nanoseconds& wait) {
    wait = std::chrono::seconds(10);
    return Status::Wait();
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(NamesOf(Spans()), Contains("WaitOnPermit"));
}

TEST_F(Tracing, APluginThatBindsActsInTheSpanOfBind) {
  std::vector<trace::SpanContext> causes;
  TestScheduler rig({{}}, Options(1'000'000));
  const auto bind = ScriptOf("A").bind;
  ScriptOf("A").bind = [&](Cycle& c, const Pod& pod, Id node, sdk::Op& op) {
    causes.push_back(trace::Current());
    return bind(c, pod, node, op);
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  ASSERT_EQ(causes.size(), 1u);
  for (const trace::Span& span : Spans()) {
    if (span.name == "Bind") {
      EXPECT_EQ(span.context.span, causes[0].span);
    }
  }
  EXPECT_EQ(trace::Current().decision, trace::SpanContext::Decision::kNone);
}

TEST_F(Tracing, AnAttemptThatIsNotSampledLeavesNothingAndNoEffectOfItIsSampled) {
  std::vector<trace::SpanContext> causes;
  TestScheduler rig({{}}, Options(0));
  ScriptOf("A").filter = [&](Cycle&, const Pod&, sdk::Node, sdk::Verdict&) {
    causes.push_back(trace::Current());
    return Status::Ok();
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(Spans(), IsEmpty());
  ASSERT_THAT(causes, Not(IsEmpty()));
  EXPECT_EQ(causes[0].decision, trace::SpanContext::Decision::kDropped);
}

}  // namespace
}  // namespace berth::fixture
