#include "policy/quarantine/back_off_end.h"

#include <algorithm>
#include <chrono>
#include <ctime>

#include "base/pause.h"
#include "base/thread_name.h"
#include "telemetry/log/log.h"

namespace berth::quarantine {
namespace {

std::chrono::seconds PauseUntil(std::optional<int64_t> unix_seconds) {
  constexpr int64_t kLongest = 60;
  if (!unix_seconds) return std::chrono::seconds(kLongest);
  return std::chrono::seconds(std::clamp<int64_t>(*unix_seconds - time(nullptr), 1, kLongest));
}

}  // namespace

BackOffEnd::BackOffEnd(Quarantine quarantine, std::function<void()> ended)
    : quarantine_(std::move(quarantine)),
      ended_(std::move(ended)),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

void BackOffEnd::Run(const std::stop_token& stop) const {
  base::NameThread("quarantine");
  while (base::PauseFor(PauseUntil(quarantine_.NextEnd()), stop)) {
    const auto n = quarantine_.EndBackOffs(time(nullptr));
    if (!n) log::Error("Failed to write the quarantine", {{"err", n.error().message}});
    if (!n || *n == 0) continue;
    log::Info("Ended the back-off of quarantined libraries", {{"entries", *n}});
    ended_();
  }
}

}  // namespace berth::quarantine
