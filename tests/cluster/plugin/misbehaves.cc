// Misbehaves: misbehaves at the extension point in a pod's label `at`, in the way in its label `does`: throw, junk,
// late, crash, abort, overflow, or hang. The first three happen once for each pod, so that it is bound in the end. Only
// for tests.
#include <berth/plugin.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

namespace {

using namespace berth::sdk;  // NOLINT: a plugin speaks the SDK's words

enum Place : size_t {
  kPreEnqueue,
  kPreFilter,
  kFilter,
  kPostFilter,
  kPreScore,
  kScore,
  kNormalize,
  kReserve,
  kUnreserve,
  kPermit,
  kPreFlight,
  kPreBind,
  kBind,
  kPostBind,
  kPlaces
};
constexpr std::array<std::string_view, kPlaces> kPlaceNames = {
    "preEnqueue", "preFilter", "filter", "postFilter", "preScore", "score", "normalize",
    "reserve",    "unreserve", "permit", "preFlight",  "preBind",  "bind",  "postBind"};

enum Deed : size_t { kThrow, kJunk, kLate, kCrash, kAbort, kOverflow, kHang, kDeeds };
constexpr std::array<std::string_view, kDeeds> kDeedNames = {"throw", "junk",     "late", "crash",
                                                             "abort", "overflow", "hang"};

constexpr auto kLateBy = std::chrono::milliseconds(300);

volatile int* volatile nowhere = nullptr;
volatile bool going_on = true;

// Recurses until the stack overflows.
[[gnu::noinline]] int Overflow(int depth) {
  volatile char page[4096];
  page[0] = static_cast<char>(depth);
  return going_on ? Overflow(depth + 1) + page[0] : 0;
}

class Misbehaves {
 public:
  static constexpr Info kInfo{.name = "Misbehaves", .vendor = "berth.dev"};
  static constexpr Reuse kFilterReuse{.reuse = false};
  static constexpr Reuse kScoreReuse{.reuse = false};

  explicit Misbehaves(Host& host) : at_(host.Intern("at")), does_(host.Intern("does")) {
    for (size_t i = 0; i < kPlaces; ++i) places_[i] = host.Intern(kPlaceNames[i]);
    for (size_t i = 0; i < kDeeds; ++i) deeds_[i] = host.Intern(kDeedNames[i]);
  }

  Status PreEnqueue(Cycle&, const Pod& pod) { return Act(pod, kPreEnqueue); }
  Status PreFilter(Cycle&, const Pod& pod, NameSet&) { return Act(pod, kPreFilter); }
  Status Filter(Cycle&, const Pod& pod, Rows, std::span<berth_verdict>) { return Act(pod, kFilter); }
  Status PostFilter(Cycle&, const Pod& pod, const Diagnosis&, Nomination&) {
    const Status status = Act(pod, kPostFilter);
    return status.ok() ? Status(BERTH_UNSCHEDULABLE) : status;
  }
  Status PreScore(Cycle&, const Pod& pod, Rows) { return Act(pod, kPreScore); }
  Status Score(Cycle&, const Pod& pod, Rows rows, std::span<int64_t> out) {
    rows.ForEach([&](uint32_t i, uint32_t) { out[i] = 0; });
    return Act(pod, kScore);
  }
  Status Normalize(Cycle&, const Pod& pod, Rows, std::span<int64_t>) { return Act(pod, kNormalize); }
  Status Reserve(Cycle&, const Pod& pod, Id) { return Act(pod, kReserve); }
  void Unreserve(Cycle&, const Pod& pod, Id) { Status(Act(pod, kUnreserve)).ok(); }
  Status Permit(Cycle&, const Pod& pod, Id, std::chrono::nanoseconds&) {
    // Unreserve comes when something fails.
    if (pod.labels().Get(at_) == places_[kUnreserve] && First(pod, "permit")) return Status::Error("undo it");
    return Act(pod, kPermit);
  }
  Status PreFlight(Cycle&, const Pod& pod, Id) { return Act(pod, kPreFlight); }
  Status PreBind(Cycle&, const Pod& pod, Id, Op&) { return Act(pod, kPreBind); }
  Status Bind(Cycle&, const Pod& pod, Id, Op&) {
    const Status status = Act(pod, kBind);
    return status.ok() ? Status::Skip() : status;
  }
  void PostBind(Cycle&, const Pod& pod, Id) { Status(Act(pod, kPostBind)).ok(); }

 private:
  // Returns whether this is the first call for this pod.
  bool First(const Pod& pod, std::string_view what) {
    std::lock_guard lock(mutex_);
    return seen_.insert(std::string(pod.uid()) + "/" + std::string(what)).second;
  }

  Status Act(const Pod& pod, Place place) {
    if (pod.labels().Get(at_) != places_[place]) return Status::Ok();
    const Id deed = pod.labels().Get(does_);
    if (deed == deeds_[kCrash]) *nowhere = 1;
    if (deed == deeds_[kAbort]) std::abort();
    if (deed == deeds_[kOverflow]) Overflow(0);
    while (deed == deeds_[kHang] && going_on) {
    }
    if (!First(pod, kPlaceNames[place])) return Status::Ok();
    if (deed == deeds_[kThrow]) throw std::runtime_error("lost my way");
    if (deed == deeds_[kJunk]) return Status(static_cast<berth_status>(77));
    if (deed == deeds_[kLate]) std::this_thread::sleep_for(kLateBy);
    return Status::Ok();
  }

  const Id at_, does_;
  std::array<Id, kPlaces> places_{};
  std::array<Id, kDeeds> deeds_{};
  std::mutex mutex_;
  std::set<std::string> seen_;  // under mutex_
};

}  // namespace

BERTH_PLUGIN(Misbehaves);
