// Rules about hosts that are not quite this one: BP-100 to BP-102.
#include <string>

#include "base/text.h"
#include "validate/checks.h"
#include "validate/rig.h"
#include "validate/samples.h"
#include "validate/walk.h"

namespace berth::validate {
namespace {

constexpr uint32_t kNodes = 6;

// What a plugin makes of pods on such a host, as long as it does not fault.
void Work(Rig& rig, Findings& findings) {
  for (const auto& pod : SamplePods()) Walk(rig, pod, findings);
}

}  // namespace

// The face of every rig has tables that end where their page does; see face.h.
void CheckTightTables(const Subject& subject, Findings& findings) {
  for (const uint32_t minor : {0u, BERTH_ABI_MINOR}) {
    const std::string who = "on a host of minor " + std::to_string(minor);
    findings.Step("starting " + who);
    Rig rig(subject, Open(subject), {.later_members = 0, .minor = minor});
    rig.Fill(SampleCluster(kNodes));
    const auto outcome = rig.Start();
    if (outcome.ok()) {
      Work(rig, findings);
    } else {
      findings.Fail("does not start " + who + ": " + base::Join(outcome.reasons, "; "));
    }
  }
}

void CheckMissingServices(const Subject& subject, Findings& findings) {
  const auto library = Open(subject);
  for (const char* service : AllServices()) {
    const std::string who = std::string("on a host without ") + service;
    findings.Step("starting " + who);
    Rig rig(subject, library);
    rig.Fill(SampleCluster(kNodes));
    rig.Without(service);
    const auto outcome = rig.Start();
    if (!outcome.ok() && base::Join(outcome.reasons, "").empty()) {
      findings.Fail("does not start " + who + " and does not say why");
    }
    findings.Step("working " + who);
    try {
      if (outcome.ok()) Work(rig, findings);
    } catch (const std::exception& e) {
      findings.Fail(who + " something is thrown: " + e.what());
    }
  }
}

void CheckLaterHost(const Subject& subject, Findings& findings) {
  Rig rig(subject, Open(subject), {.later_members = 16, .minor = BERTH_ABI_MINOR + 7});
  rig.Fill(SampleCluster(kNodes));
  if (rig.Started(findings)) Work(rig, findings);
}

}  // namespace berth::validate
