// Rules about older and newer hosts: BP-100 to BP-102.
#include <string>

#include "base/text.h"
#include "cmd/berthctl/validate/checks.h"
#include "cmd/berthctl/validate/samples.h"
#include "cmd/berthctl/validate/test_host.h"
#include "cmd/berthctl/validate/walk.h"

namespace berth::validate {
namespace {

constexpr uint32_t kHostNodes = 6;

// Takes pods through the plugin on such a host.
void Work(TestHost& rig, Findings& findings) {
  for (const auto& pod : SamplePods()) Walk(rig, pod, findings);
}

}  // namespace

// Every table of a TestHost ends at the end of a page; see strict_host.h.
void CheckTightTables(const Subject& subject, Findings& findings) {
  for (const uint32_t minor : {0u, BERTH_ABI_MINOR}) {
    const std::string who = "on a host of minor " + std::to_string(minor);
    findings.Step("starting " + who);
    TestHost rig(subject, Open(subject), {.later_members = 0, .minor = minor});
    rig.Fill(SampleCluster(kHostNodes));
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
    TestHost rig(subject, library);
    rig.Fill(SampleCluster(kHostNodes));
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
  TestHost rig(subject, Open(subject), {.later_members = 16, .minor = BERTH_ABI_MINOR + 7});
  rig.Fill(SampleCluster(kHostNodes));
  if (rig.Started(findings)) Work(rig, findings);
}

}  // namespace berth::validate
