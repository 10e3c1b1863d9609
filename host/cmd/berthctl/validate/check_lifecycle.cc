// Rules about the life cycle of an instance: BP-80 to BP-84.
#include <algorithm>
#include <limits>
#include <string>

#include "api/intern_tables.h"
#include "base/text.h"
#include "cmd/berthctl/validate/checks.h"
#include "cmd/berthctl/validate/plugin_args.h"
#include "cmd/berthctl/validate/process_state.h"
#include "cmd/berthctl/validate/samples.h"
#include "cmd/berthctl/validate/test_host.h"
#include "cmd/berthctl/validate/walk.h"
#include "plugin/instance/instance.h"
#include "scheduler/framework/host_services.h"
#include "scheduler/objects/store.h"

namespace berth::validate {
namespace {

constexpr uint32_t kLifecycleNodes = 6;
constexpr int kLives = 100;
constexpr size_t kMostHeapPerLife = 64, kFatalHeapPerLife = 4096;  // bytes

// Starts an instance, takes pods through it, and stops it.
void LiveOnce(const Subject& subject, const std::shared_ptr<const loader::Library>& library, Findings& findings) {
  TestHost rig(subject, library);
  rig.Fill(SampleCluster(kLifecycleNodes));
  if (!rig.Started(findings)) return;
  Walk(rig, SamplePods().front(), findings);
}

}  // namespace

// In the host itself, with its services and its messages.
void CheckStarts(const Subject& subject, Findings& findings) {
  const auto library = Open(subject);
  findings.Step("completing args");
  CompletedArgs args = CompleteArgs(subject, *library);
  if (!args.errors.empty()) {
    return findings.Fail("its args are refused; give some with --args: " + base::Join(args.errors, "; "));
  }
  api::InternTables words;
  objects::ObjectStore store(words);
  plugin::Services services(words, {.objects = &store});
  framework::AddHostServices(services);
  plugin::InstanceSpec spec{library, subject.plugin, subject.plugin, "default-scheduler", std::move(args.args), {}};
  findings.Step("create and init");
  auto instance = plugin::Instance::Create(std::move(spec), services);
  if (!instance) return findings.Fail(instance.error().message);
  findings.Step("activate");
  if (const auto active = (*instance)->Activate(); !active) return findings.Fail(active.error().message);
  findings.Step("deactivate and destroy");
  instance->reset();
}

void CheckOrders(const Subject& subject, Findings& findings) {
  const auto library = Open(subject);
  {
    findings.Step("init, destroy");
    TestHost rig(subject, library);
    rig.Init();
    rig.Stop();
    findings.FailAll(rig.Violations(), "init, destroy: ");
  }
  findings.Step("activate, deactivate, destroy");
  LiveOnce(subject, library, findings);
  findings.Step("two instances at once");
  TestHost first(subject, library), second(subject, library);
  first.Fill(SampleCluster(kLifecycleNodes));
  second.Fill(SampleCluster(kLifecycleNodes));
  if (!first.Started(findings) || !second.Started(findings)) return;
  for (const auto& pod : SamplePods()) {
    Walk(second, pod, findings);
    Walk(first, pod, findings);
  }
  findings.Step("the older of two instances ends");
  first.Stop();
  Walk(second, SamplePods().front(), findings);
  findings.Step("the younger of two instances ends");
  second.Stop();
  findings.FailAll(first.Violations(), "two instances: ");
  findings.FailAll(second.Violations(), "two instances: ");
}

void CheckLeavesNothing(const Subject& subject, Findings& findings) {
  const auto library = Open(subject);
  const auto live = [&](int times) {
    for (int i = 0; i < times; ++i) {
      findings.Step("life " + std::to_string(i + 1));
      LiveOnce(subject, library, findings);
    }
  };
  live(kLives / 4);  // data that is allocated once stays
  const ProcessState before = ProcessState::Now();
  // Memory that malloc caches counts as in use, and its amount varies. A leak shows in every measurement.
  size_t per_life = std::numeric_limits<size_t>::max();
  for (int round = 0; round < 3 && per_life > kMostHeapPerLife; ++round) {
    const size_t heap_before = HeapInUse();
    live(kLives);
    const size_t heap_after = HeapInUse();
    per_life = std::min(per_life, heap_after > heap_before ? (heap_after - heap_before) / kLives : 0);
  }
  const std::string lives = "after " + std::to_string(kLives) + " lives ";
  findings.FailAll(ProcessState::Now().ChangesSince(before), lives);
  const std::string text = lives + "the heap has grown by " + std::to_string(per_life) + " bytes each";
  if (per_life > kFatalHeapPerLife) return findings.Fail(text);
  if (per_life > kMostHeapPerLife) findings.Warn(text);
}

void CheckExtensions(const Subject& subject, Findings& findings) {
  TestHost rig(subject, Open(subject));
  if (!rig.Started(findings)) return;
  for (const char* id : {"", "no.such/1", "berth.plugin.filter", "berth.plugin.filter/", "berth.plugin.filter/999",
                         "berth.plugin.filter/1 ", "BERTH.PLUGIN.FILTER/1"}) {
    findings.Step(std::string("extension(\"") + id + "\")");
    if (rig.Offers(id)) findings.Fail(std::string("extension(\"") + id + "\") is not NULL");
  }
  const std::pair<const char*, const char*> points[] = {{"preEnqueue", BERTH_POINT_PRE_ENQUEUE},
                                                        {"queueSort", BERTH_POINT_QUEUE_SORT},
                                                        {"preFilter", BERTH_POINT_PRE_FILTER},
                                                        {"filter", BERTH_POINT_FILTER},
                                                        {"postFilter", BERTH_POINT_POST_FILTER},
                                                        {"preScore", BERTH_POINT_PRE_SCORE},
                                                        {"score", BERTH_POINT_SCORE},
                                                        {"reserve", BERTH_POINT_RESERVE},
                                                        {"permit", BERTH_POINT_PERMIT},
                                                        {"preBind", BERTH_POINT_PRE_BIND},
                                                        {"bind", BERTH_POINT_BIND},
                                                        {"postBind", BERTH_POINT_POST_BIND}};
  const std::vector<std::string>& noted = subject.noted().points;
  for (const auto& [name, id] : points) {
    const bool offered = rig.Offers(id);
    if (offered != rig.Offers(id)) findings.Fail(std::string(id) + " is offered at times only");
    if (offered && std::find(noted.begin(), noted.end(), name) == noted.end()) {
      findings.Warn(std::string("offers the point ") + name + ", which its note does not name: it is never called");
    }
  }
}

void CheckProcessAtWork(const Subject& subject, Findings& findings) {
  const auto library = Open(subject);
  const ProcessState before = ProcessState::Now();
  LiveOnce(subject, library, findings);
  findings.FailAll(ProcessState::Now().ChangesSince(before));
}

}  // namespace berth::validate
