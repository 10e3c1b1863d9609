#include "cmd/berth-controllers/controller_pages.h"

#include <optional>
#include <utility>

#include "base/clock.h"
#include "telemetry/log/log.h"

namespace berth {
namespace {

constexpr int64_t kStuck = 60 * base::kSecond;

std::optional<std::string> WhyStuck(const reconcile::Manager& manager) {
  const int64_t ns = manager.stuck_ns();
  if (manager.ending() || ns < kStuck) return std::nullopt;
  return "the loop has not come around for " + std::to_string(ns / base::kSecond) + " s";
}

std::optional<std::string> WhyNotReady(const reconcile::Manager& manager) {
  std::string why = manager.WhyNotSynced();
  return why.empty() ? std::nullopt : std::optional(std::move(why));
}

std::optional<std::string> WhyGoing(const reconcile::Manager& manager) {
  if (manager.ending()) return "process is shutting down";
  return std::nullopt;
}

std::optional<std::string> WhyNoLeader(const election::Participant& participant) {
  const auto healthy = participant.elector().Check();
  return healthy ? std::nullopt : std::optional(healthy.error().message);
}

serve::Checks ChecksOf(const reconcile::Manager& manager, const election::Participant* participant) {
  serve::Checks checks;
  for (std::vector<serve::Check>* alive : {&checks.healthz, &checks.livez}) {
    alive->push_back(serve::Ping());
    alive->push_back({.name = "loop", .run = [&manager] { return WhyStuck(manager); }, .shows_error = true});
  }
  checks.readyz.push_back({"shutdown", [&manager] { return WhyGoing(manager); }});
  checks.readyz.push_back({.name = "lists", .run = [&manager] { return WhyNotReady(manager); }, .shows_error = true});
  if (participant == nullptr) return checks;
  for (std::vector<serve::Check>* both : {&checks.healthz, &checks.readyz}) {
    both->push_back({"leaderElection", [participant] { return WhyNoLeader(*participant); }});
  }
  return checks;
}

}  // namespace

ControllerPages::ControllerPages(const reconcile::Manager& manager, const election::Participant* participant,
                                 metrics::Registry& registry)
    : access_(registry),
      endpoints_(ChecksOf(manager, participant), registry, {.health = &health_, .slis = &slis_},
                 serve::PageSet::kBasic) {}

base::Result<void> ControllerPages::Listen(const ControllerOptions& options) {
  if (auto done = ListenPlainly(options.metrics_address, "metrics", /*health=*/false); !done) return done;
  if (auto done = ListenPlainly(options.probe_address, "health", /*health=*/true); !done) return done;
  auto serving = secure_port::SecurePort::Start(
      {options.serving, options.authentication, options.authorization, "berth-controllers/" BERTH_VERSION},
      {[this](const http::Incoming& request) { return endpoints_.Get(request); },
       [this](const http::Incoming& request) { return IsPrompt(request); },
       {"GET", "HEAD"}},
      {access_, nullptr});
  if (!serving) return tl::unexpected(serving.error());
  secure_ = std::move(*serving);
  return {};
}

base::Result<void> ControllerPages::ListenPlainly(const std::string& address, const std::string& what, bool health) {
  if (address.empty()) return {};
  http::ListenerOptions options;
  options.prompt = [this](const http::Incoming& request) { return IsPrompt(request); };
  auto listener = http::Listener::Start(
      address,
      [this, health](const http::Incoming& request) {
        return IsPrompt(request) == health ? endpoints_.Get(request) : serve::PlainError(404, "404 page not found");
      },
      std::move(options));
  if (!listener) return tl::unexpected(listener.error());
  plain_.push_back(std::move(*listener));
  log::Info("Serving " + what + " over plain HTTP", {{"address", address}, {"port", plain_.back()->port()}});
  return {};
}

}  // namespace berth
