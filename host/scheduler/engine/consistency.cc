#include "scheduler/engine/consistency.h"

#include "scheduler/cache/checker.h"
#include "scheduler/engine/initial_sync.h"

namespace berth::engine {
namespace {

std::string DumpOf(plugin::Instance& instance) {
  std::string text;
  instance.CallVoid("Dump", [&] {
    instance.tables().deltas->dump(
        instance.raw(), [](void* ctx, berth_str s) { static_cast<std::string*>(ctx)->append(s.ptr, s.len); }, &text);
  });
  return text;
}

// A second instance that gets the present state must have the same counts.
void CompareWithSecond(const CheckedState& state, const framework::Profile& profile, plugin::Instance& instance,
                       std::vector<std::string>& out) {
  const berth_deltas* table = instance.tables().deltas;
  if (table == nullptr || table->dump == nullptr) return;
  auto fresh = plugin::Instance::Create(instance.spec(), state.services);
  if (!fresh || !(*fresh)->Activate()) {
    out.push_back("plugin \"" + instance.name() + "\": a second instance for comparison cannot be made");
    return;
  }
  InitialSync({fresh->get()}, state.cache, state.objects).DeliverAll();
  if (DumpOf(instance) != DumpOf(**fresh)) {
    out.push_back("plugin \"" + instance.name() + "\" of profile \"" + profile.scheduler_name() +
                  "\": its counts differ from recomputed ones");
  }
}

}  // namespace

std::vector<std::string> CheckConsistency(const CheckedState& state) {
  std::vector<std::string> out = cache::CheckAgainstRebuilt(state.intern, state.cache);
  if (auto sound = state.queue.Check(); !sound) out.push_back(sound.error().message);
  for (const auto& profile : state.policy.profiles().profiles) {
    for (const auto& instance : profile->instances()) CompareWithSecond(state, *profile, *instance, out);
  }
  return out;
}

}  // namespace berth::engine
