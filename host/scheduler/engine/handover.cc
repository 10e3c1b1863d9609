#include "scheduler/engine/handover.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "api/text_view.h"
#include "telemetry/log/log.h"

namespace berth::engine {
namespace {

using api::Borrow;
using framework::Profile;
using framework::ProfileSet;

bool HoldsAttempts(const plugin::Instance& instance) {
  return instance.tables().reserve != nullptr || instance.tables().permit != nullptr;
}

std::string Collect(plugin::Instance& from, const char* what,
                    const std::function<void(berth_text_sink, void*)>& write) {
  std::string text;
  from.CallVoid(what, [&] {
    write(
        [](void* ctx, berth_str part) {
          auto& all = *static_cast<std::string*>(ctx);
          const size_t room = BERTH_HANDOVER_MOST - all.size();
          all.append(part.ptr, std::min<size_t>(part.len, room));
        },
        &text);
  });
  return text;
}

void HandOverState(plugin::Instance& from, plugin::Instance& to) {
  const berth_handover *old = from.tables().handover, *now = to.tables().handover;
  if (old == nullptr || now == nullptr || old->save == nullptr || now->load == nullptr) return;
  const std::string state =
      Collect(from, "Save", [&](berth_text_sink sink, void* ctx) { old->save(from.raw(), sink, ctx); });
  if (state.size() >= BERTH_HANDOVER_MOST) {
    log::Warning("The state of a plugin is too large to be handed over", {{"plugin", from.name()}});
    return;
  }
  const plugin::Status loaded =
      to.CallUnhurried("Load", [&] { return now->load(to.raw(), Borrow(from.library().version()), Borrow(state)); });
  if (!loaded.ok() && loaded.code != plugin::Code::kSkip) {
    log::Warning("A plugin begins without its predecessor's state", {{"plugin", to.name()}, {"err", loaded.Message()}});
  }
}

// The instance that holds what the plugin reserved for the attempt: the last one that took it over, or the first.
plugin::Instance* HolderOf(const Attempt& attempt, plugin::Instance& first) {
  for (const std::shared_ptr<plugin::Instance>& adopter : attempt.adopters) {
    if (adopter->name_id() == first.name_id()) return adopter.get();
  }
  return &first;
}

// fn(Attempt&, Instance& holder, const std::shared_ptr<Instance>& successor) for each plugin that holds something for
// an open attempt and that has another instance in `next`.
template <class Fn>
void ForEachSuccessor(const Attempts& attempts, const ProfileSet& next, Fn&& fn) {
  attempts.ForEachInFlight([&](Attempt& attempt) {
    const Profile* profile = next.Find(attempt.job.profile->scheduler_name_id());
    if (profile == nullptr) return;
    for (const auto& instance : attempt.job.profile->instances()) {
      if (!HoldsAttempts(*instance)) continue;
      plugin::Instance* holder = HolderOf(attempt, *instance);
      const std::shared_ptr<plugin::Instance> successor = profile->Share(instance->name_id());
      if (successor != nullptr && !successor->SharesStateWith(*holder)) fn(attempt, *holder, successor);
    }
  });
}

void HandOverAttempt(Attempt& attempt, plugin::Instance& holder, const std::shared_ptr<plugin::Instance>& successor) {
  const berth_handover* to = successor->tables().handover;
  if (to == nullptr || (to->flags & BERTH_HANDOVER_NO_ATTEMPTS) != 0) return;
  const berth_pod* pod = &attempt.job.pod->abi;
  const base::Id node = attempt.job.node.get();
  std::string state;
  if (const berth_handover* from = holder.tables().handover; from != nullptr && from->describe != nullptr) {
    state = Collect(holder, "Describe",
                    [&](berth_text_sink sink, void* ctx) { from->describe(holder.raw(), pod, node, sink, ctx); });
  }
  if (to->adopt != nullptr) {
    successor->CallVoid("Adopt", [&] { to->adopt(successor->raw(), pod, node, Borrow(state)); });
  }
  std::erase_if(attempt.adopters, [&](const auto& adopter) { return adopter->name_id() == successor->name_id(); });
  attempt.adopters.push_back(successor);
}

}  // namespace

void HandOverStates(const ProfileSet& before, const ProfileSet& now) {
  for (const auto& profile : now.profiles) {
    const Profile* old = before.Find(profile->scheduler_name_id());
    if (old == nullptr) continue;
    for (const auto& instance : profile->instances()) {
      plugin::Instance* predecessor = old->Find(instance->name_id());
      if (predecessor == nullptr || predecessor == instance.get()) continue;
      if (instance->SharesStateWith(*predecessor)) {
        instance->Commit(*predecessor);
      } else {
        HandOverState(*predecessor, *instance);
      }
    }
  }
}

bool MustWaitForAttempts(const Attempts& attempts, const ProfileSet& next) {
  bool must = false;
  ForEachSuccessor(attempts, next,
                   [&](Attempt&, plugin::Instance&, const std::shared_ptr<plugin::Instance>& successor) {
                     must = must || successor->tables().handover == nullptr;
                   });
  return must;
}

// An adopter keeps its whole generation alive, so that the scheduler retires it where it retires generations, and not
// between two cycles.
void HandOverAttempts(const Attempts& attempts, const std::shared_ptr<const ProfileSet>& next) {
  ForEachSuccessor(attempts, *next, [&](Attempt& attempt, plugin::Instance& holder, const auto& successor) {
    HandOverAttempt(attempt, holder, std::shared_ptr<plugin::Instance>(next, successor.get()));
  });
}

void SettleAdopted(Attempt& attempt, bool bound) {
  for (const std::shared_ptr<plugin::Instance>& adopter : attempt.adopters) {
    const berth_handover* table = adopter->tables().handover;
    if (table == nullptr || table->settle == nullptr) continue;
    adopter->CallVoid("Settle", [&] { table->settle(adopter->raw(), &attempt.job.pod->abi, bound ? 1 : 0); });
  }
  attempt.adopters.clear();
}

}  // namespace berth::engine
