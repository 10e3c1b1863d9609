// The consistency checker: everything that is kept in step with the cluster, computed anew and compared.
#include "cache/checker.h"
#include "engine/engine.h"

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

}  // namespace

std::vector<std::string> Engine::CheckConsistency() {
  cache_.TakeDeltas(deltas_);
  DeliverDeltas();
  DeliverObjectChanges();
  std::vector<std::string> out = cache::CheckAgainstRebuilt(words_, cache_);
  if (auto sound = queue_->Check(); !sound) out.push_back(sound.error().message);
  for (const auto& profile : profiles_->profiles) {
    for (const auto& instance : profile->instances()) {
      const berth_deltas* table = instance->tables().deltas;
      if (table == nullptr || table->dump == nullptr) continue;
      // A second instance fed with the present state must have counted the same.
      auto fresh = plugin::Instance::Create(instance->spec(), services_);
      if (!fresh || !(*fresh)->Activate()) {
        out.push_back("plugin \"" + instance->name() + "\": a second instance for comparison cannot be made");
        continue;
      }
      Newcomers({fresh->get()}, cache_, objects_).TellAll();
      if (DumpOf(*instance) != DumpOf(**fresh)) {
        out.push_back("plugin \"" + instance->name() + "\" of profile \"" + profile->scheduler_name() +
                      "\": its counts differ from recomputed ones");
      }
    }
  }
  return out;
}

}  // namespace berth::engine
