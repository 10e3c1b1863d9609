#include "client/credentials/rotation.h"

#include <chrono>
#include <utility>

#include "telemetry/log/log.h"

namespace berth::credentials {
namespace {

constexpr std::chrono::seconds kBetweenLooks{1};
constexpr int64_t kBetweenTries = 10 * base::kSecond;

}  // namespace

Rotation::Rotation(Target target, ProcessEnvironment process)
    : target_(std::move(target)), process_(std::move(process)) {}

base::Result<http::ClientOptions> Rotation::Load() {
  state_ = {};
  return LoadClientOptions(target_, process_, state_);
}

void Rotation::Look(const Use& use) {
  if (Due()) TryToReload(use);
}

bool Rotation::Due() {
  const bool again = !error_.empty() && process_.clock->MonoNs() - tried_ns_ >= kBetweenTries;
  return state_.files.HaveChanged() || again;
}

void Rotation::TryToReload(const Use& use) {
  tried_ns_ = process_.clock->MonoNs();
  const std::string& place =
      target_.kubeconfig_path.empty() ? process_.service_account_folder : target_.kubeconfig_path;
  const base::Result<void> used = Reload(use);
  if (used) {
    log::Info("Reloaded the client configuration, later requests use new connections", {{"path", place}});
  } else if (used.error().message != error_) {
    log::Error("Unable to reload the client configuration, the old one stays in use",
               {{"path", place}, {"err", used.error().message}});
  }
  error_ = used ? "" : used.error().message;
}

base::Result<void> Rotation::Reload(const Use& use) {
  LoadState state{.files = {}, .exec = state_.exec, .strict = !state_.guessed};
  base::Result<http::ClientOptions> options = LoadClientOptions(target_, process_, state);
  state_.files = std::move(state.files);  // also after a failure: the next change is relative to these files
  if (!options) return tl::unexpected(options.error());
  base::Result<void> used = use(std::move(*options));
  if (!used) return used;
  state_.exec = std::move(state.exec);
  state_.guessed = state.guessed;
  return {};
}

void Rotation::Start(Use use) {
  looks_.emplace(
      "credentials", kBetweenLooks, [this] { return Due(); }, [this, use = std::move(use)] { TryToReload(use); });
}

}  // namespace berth::credentials
