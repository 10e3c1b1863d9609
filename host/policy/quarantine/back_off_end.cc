#include "policy/quarantine/back_off_end.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>
#include <utility>

#include "telemetry/log/log.h"

namespace berth::quarantine {
namespace {

constexpr std::chrono::seconds kLookEvery(1);

std::chrono::seconds PauseUntil(std::optional<int64_t> unix_seconds) {
  constexpr int64_t kLongest = 60;
  if (!unix_seconds) return std::chrono::seconds(kLongest);
  return std::chrono::seconds(std::clamp<int64_t>(*unix_seconds - time(nullptr), 1, kLongest));
}

}  // namespace

BackOffEnd::BackOffEnd(Quarantine quarantine, std::function<void()> ended)
    : quarantine_(std::move(quarantine)),
      ended_(std::move(ended)),
      next_look_(std::chrono::steady_clock::now() + PauseUntil(quarantine_.NextEnd())),
      looks_(
          "quarantine", kLookEvery, [this] { return IsOver(); }, [this] { End(); }) {}

bool BackOffEnd::IsOver() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_look_) return false;
  const std::optional<int64_t> end = quarantine_.NextEnd();
  next_look_ = now + PauseUntil(end);
  return end && *end <= time(nullptr);
}

void BackOffEnd::End() const {
  const auto n = quarantine_.EndBackOffs(time(nullptr));
  if (!n) log::Error("Failed to write the quarantine", {{"err", n.error().message}});
  if (!n || *n == 0) return;
  log::Info("Ended the backoff of quarantined libraries", {{"entries", *n}});
  ended_();
}

}  // namespace berth::quarantine
