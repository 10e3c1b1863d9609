#include "reload/announcer/announcer.h"

#include <chrono>
#include <string>
#include <utility>

#include "base/text.h"
#include "reload/announcer/swap_event.h"
#include "telemetry/log/log.h"

namespace berth::announcer {
namespace {

// By reload::Result: values of the label "result".
constexpr const char* kResults[] = {"published", "unchanged", "refused", "rolled_back"};

double Seconds(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

std::string Milliseconds(const reload::Report& report) {
  std::string text;
  for (const auto& [step, took] : report.steps) {
    text += (text.empty() ? "" : " ") + step + "=" + std::to_string(took.count() / 1'000'000) + "ms";
  }
  return text;
}

void LogReport(const reload::Report& report) {
  switch (report.result) {
    case reload::Result::kPublished:
      log::Info("Published a new policy", {{"generation", report.generation},
                                           {"changes", report.changes},
                                           {"causes", report.causes},
                                           {"steps", Milliseconds(report)}});
      return;
    case reload::Result::kUnchanged:
      log::V(2, "Files changed, the policy did not", {{"causes", report.causes}});
      return;
    case reload::Result::kRolledBack:
      log::Error("Rolled back to the previous policy",
                 {{"generation", report.generation}, {"err", report.causes.front()}, {"changes", report.changes}});
      return;
    case reload::Result::kRejected:
      log::Error("Rejected a policy change, the current policy stays active",
                 {{"generation", report.generation},
                  {"step", report.step},
                  {"err", base::Join(report.problems, "; ")},
                  {"causes", report.causes}});
      return;
  }
}

}  // namespace

void Announcer::Announce(const reload::Report& report) {
  Measure(report);
  if (auto event = SwapEvent(report, about_)) record_(std::move(*event));
  LogReport(report);
}

void Announcer::Measure(const reload::Report& report) {
  const metrics::Name total{"berth_swap_total", "[ALPHA] Attempts to publish a changed policy, by result."};
  registry_.MakeCounter(total, {{"result", kResults[static_cast<size_t>(report.result)]}}).Increment();
  const metrics::Name seconds{"berth_swap_duration_seconds", "[ALPHA] Duration of each step of a policy change."};
  for (const auto& [step, took] : report.steps) {
    registry_.MakeHistogram(seconds, metrics::ExponentialBuckets(0.001, 2, 16), {{"step", step}})
        .Observe(Seconds(took));
  }
  const metrics::Name generation{"berth_policy_generation", "[ALPHA] Generation of the active policy."};
  registry_.MakeGauge(generation).Set(static_cast<double>(report.generation));
}

}  // namespace berth::announcer
