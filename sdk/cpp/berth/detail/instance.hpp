// One plugin instance: the C struct the host holds, the host as the instance sees it, and the plugin object itself,
// which lives from init to destroy.
#pragma once

#include <concepts>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "berth/calls.hpp"
#include "berth/detail/barrier.hpp"
#include "berth/detail/traits.hpp"

namespace berth::sdk::detail {

template <class P>
const void* FindTable(const char* id) noexcept;  // points.hpp

template <class P>
class Instance {
 public:
  // before: null, or the instance that prepares this one; it is constructed from it in init.
  explicit Instance(const berth_host* raw, P* before = nullptr) : host(raw), before_(before) {}

  static berth_plugin* Create(const berth_host* raw, P* before = nullptr) noexcept {
    auto* self = new (std::nothrow) Instance(raw, before);
    return self == nullptr ? nullptr : &self->face_;
  }
  static Instance& Of(berth_plugin* p) { return *static_cast<Instance*>(p->impl); }
  Place At(const char* call) const { return {&host, P::kInfo.name, call}; }

  Host host;
  std::optional<P> plugin;
  NameSet names;                       // PreFilter's answer, until the instance's next call
  std::vector<std::string> resources;  // the texts behind `interests`
  std::vector<berth_interest> interests;

 private:
  static berth_status Init(berth_plugin* p) noexcept {
    Instance& self = Of(p);
    return Guarded(self.At("init"), nullptr, 0, [&self] {
      self.host.Connect();
      self.RequireServices();
      self.Construct();
      return Status::Ok();
    });
  }

  void RequireServices() const {
    if constexpr (requires { P::kNeeds; }) {
      for (const std::string_view id : P::kNeeds) {
        if (!host.Offers(std::string(id).c_str())) throw MissingService(std::string(id));
      }
    }
  }

  void Construct() {
    if constexpr (HasSuccession<P>) {
      if (before_ != nullptr) {
        plugin.emplace(host, *std::exchange(before_, nullptr));
        return;
      }
    }
    if constexpr (std::constructible_from<P, Host&>) {
      plugin.emplace(host);
    } else {
      plugin.emplace();
    }
  }

  static berth_status Activate(berth_plugin* p) noexcept {
    if constexpr (HasActivate<P>) {
      Instance& self = Of(p);
      return Guarded(self.At("Activate"), nullptr, 0, [&self] {
        if constexpr (requires {
                        { self.plugin->Activate() } -> IsStatus;
                      }) {
          return self.plugin->Activate();
        } else {
          self.plugin->Activate();
          return Status::Ok();
        }
      });
    } else {
      return BERTH_SUCCESS;
    }
  }

  static void Deactivate(berth_plugin* p) noexcept {
    if constexpr (HasDeactivate<P>) {
      Instance& self = Of(p);
      GuardedVoid(self.At("Deactivate"), [&self] { self.plugin->Deactivate(); });
    }
  }

  static void Destroy(berth_plugin* p) noexcept { delete &Of(p); }

  static const void* Extension(berth_plugin* p, const char* id) noexcept {
    return Of(p).plugin ? FindTable<P>(id) : nullptr;
  }

  static void* CycleClone(berth_plugin* p, const void* data) noexcept {
    Instance& self = Of(p);
    DataBox* clone = nullptr;
    const auto copy = [&] {
      auto* box = static_cast<DataBox*>(const_cast<void*>(data));
      clone = box->ops->clone(box);
      return Status::Ok();
    };
    Guarded(self.At("copying cycle data"), nullptr, 0, copy);
    return clone;
  }

  static void CycleFree(berth_plugin*, void* data) noexcept {
    auto* box = static_cast<DataBox*>(data);
    box->ops->free(box);
  }

  P* before_;  // until init
  // A trial changes data only through AddPod and RemovePod; without them, trials share the data.
  berth_plugin face_{sizeof(berth_plugin),
                     0,
                     this,
                     &Init,
                     &Activate,
                     &Deactivate,
                     &Destroy,
                     &Extension,
                     kHasPodChange<P> ? &CycleClone : nullptr,
                     &CycleFree};
};

}  // namespace berth::sdk::detail
