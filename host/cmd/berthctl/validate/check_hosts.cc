// Rules about older and newer hosts: BP-100 to BP-102. Berth's own host schedules the pods, with the tables of
// strict_host.h in another shape.
#include <algorithm>
#include <string>
#include <string_view>

#include "cmd/berthctl/validate/checks.h"
#include "cmd/berthctl/validate/real_host.h"
#include "cmd/berthctl/validate/samples.h"
#include "cmd/berthctl/validate/test_host.h"

namespace berth::validate {
namespace {

constexpr uint32_t kHostNodes = 6;

// Whether the plugin has started; `why` is then empty, and otherwise the host's error.
bool StartsOn(RealHost& host, std::string& why) {
  const auto started = host.Start();
  why = started ? "" : started.error().message;
  return started.has_value();
}

void Work(RealHost& host) {
  host.Fill(SampleCluster(kHostNodes));
  host.ScheduleTogether(SamplePods());
  host.ChangeCluster();
  host.Stop();
}

}  // namespace

void CheckTightTables(const Subject& subject, Findings& findings) {
  const auto library = Open(subject);
  for (const uint32_t minor : {0u, BERTH_ABI_MINOR}) {
    const std::string who = "on a host of minor " + std::to_string(minor);
    findings.Within(who + ": ");
    findings.Step("starting");
    RealHost host(subject, library, findings, {.later_members = 0, .minor = minor});
    if (std::string why; StartsOn(host, why)) {
      Work(host);
    } else {
      findings.Fail("does not start " + who + ": " + why);
    }
  }
}

void CheckMissingServices(const Subject& subject, Findings& findings) {
  const auto library = Open(subject);
  for (const char* service : AllServices()) {
    const std::string who = std::string("on a host without ") + service;
    findings.Within(who + ": ");
    findings.Step("starting");
    RealHost host(subject, library, findings, {.without = service});
    if (std::string why; StartsOn(host, why)) Work(host);
    // A refusal with a text is no breach.
    findings.FailAll(host.incidents().TakeBreaches(), who + ": ");
  }
}

void CheckLaterHost(const Subject& subject, Findings& findings) {
  RealHost host(subject, Open(subject), findings, {.later_members = 16, .minor = BERTH_ABI_MINOR + 7});
  if (host.Started()) Work(host);
}

}  // namespace berth::validate
