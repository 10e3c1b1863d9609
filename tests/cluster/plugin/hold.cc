// HoldUntilOpened: Permit holds pods with the label hold=true until a pod with the label open=true arrives, for tests
// that need a pod in Permit. Only for tests.
#include <berth/plugin.hpp>

#include <chrono>

namespace {

using namespace berth::sdk;  // NOLINT: a plugin speaks the SDK's words

class HoldUntilOpened {
 public:
  static constexpr Info kInfo{.name = "HoldUntilOpened", .vendor = "berth.dev"};

  explicit HoldUntilOpened(Host& host) : host_(host), hold_(host.Intern("hold")), open_(host.Intern("open")) {}

  Status Permit(Cycle&, const Pod& pod, Id, std::chrono::nanoseconds& wait) {
    if (pod.labels().Has(open_)) {
      host_.EachWaiting([&](const Pod& waiting) { host_.AllowWaiting(waiting.uid()); });
    }
    if (!pod.labels().Has(hold_)) return Status::Ok();
    wait = std::chrono::minutes(1);
    return Status::Wait();
  }

 private:
  Host& host_;
  const Id hold_, open_;  // [life]
};

}  // namespace

BERTH_PLUGIN(HoldUntilOpened);
