#include "kubeconfig/rotation.h"

#include <chrono>
#include <stop_token>
#include <utility>

#include "base/pause.h"
#include "log/log.h"

namespace berth::kubeconfig {
namespace {

constexpr std::chrono::seconds kBetweenLooks{1};
constexpr int64_t kBetweenTries = 10 * base::kSecond;

}  // namespace

Rotation::Rotation(Target target, Surroundings surroundings)
    : target_(std::move(target)), surroundings_(std::move(surroundings)) {}

base::Result<http::ClientOptions> Rotation::Load() {
  sources_ = {};
  return LoadClientOptions(target_, surroundings_, sources_);
}

void Rotation::Look(const Use& use) {
  const int64_t now = surroundings_.clock->MonoNs();
  const bool due = !error_.empty() && now - tried_ns_ >= kBetweenTries;
  if (!sources_.files.HaveChanged() && !due) return;
  tried_ns_ = now;
  const std::string& place =
      target_.kubeconfig_path.empty() ? surroundings_.service_account_folder : target_.kubeconfig_path;
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
  Sources sources{.files = {}, .exec = sources_.exec, .strict = !sources_.guessed};
  base::Result<http::ClientOptions> options = LoadClientOptions(target_, surroundings_, sources);
  sources_.files = std::move(sources.files);  // in use or not: it is what a next change is a change of
  if (!options) return tl::unexpected(options.error());
  base::Result<void> used = use(std::move(*options));
  if (!used) return used;
  sources_.exec = std::move(sources.exec);
  sources_.guessed = sources.guessed;
  return {};
}

void Rotation::Start(Use use) {
  thread_ = std::jthread([this, use = std::move(use)](const std::stop_token& stop) {
    while (base::PauseFor(kBetweenLooks, stop)) Look(use);
  });
}

}  // namespace berth::kubeconfig
