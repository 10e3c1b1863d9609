// The host as one plugin instance sees it. The layer creates it and passes it to the plugin's constructor. It is valid
// until the plugin's destructor returns; keep a reference. All functions are [any] unless stated otherwise. A service
// that this host lacks throws MissingService when it is used (only log lines are dropped instead); the layer turns the
// throw into an ERROR.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "berth/detail/services.hpp"
#include "berth/log.hpp"
#include "berth/op.hpp"
#include "berth/selectors.hpp"
#include "berth/source_place.hpp"
#include "berth/status.hpp"
#include "berth/value.hpp"
#include "berth/views.hpp"

namespace berth::sdk {

class Host {
 public:
  explicit Host(const berth_host* raw) : raw_(raw) {}
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  // Looks up the services. The layer calls it once, at the start of init: do not call the host earlier.
  void Connect() { services_.Connect(raw_); }

  const berth_host* raw() const { return raw_; }
  const detail::Services& services() const { return services_; }
  uint32_t abi_minor() const { return raw_->abi_minor; }
  // Whether this host offers the service (BERTH_SERVICE_*).
  bool Offers(const char* service_id) const {
    return BERTH_HAS(raw_, berth_host, service) && raw_->service(raw_, service_id) != nullptr;
  }

  // ---- ids and text. An interned id is owned by this instance until Drop or the end of its life.
  Id Intern(std::string_view text) { return services_.core.intern(raw_, Borrow(text)); }
  void Keep(Id id) { services_.core.keep(raw_, id); }  // owns an id that was read from a view
  void Drop(Id id) { services_.core.drop(raw_, id); }  // reverts one Intern or Keep
  // Wait-free; lives as long as the id. kNoId is "".
  std::string_view Text(Id id) const { return View(services_.core.text(raw_, id)); }

  // ---- configuration; texts live as long as the instance.
  Value Args() const {
    return {&services_.value, services_.config.args(raw_)};
  }  // completed and checked, may be absent
  std::string_view profile() const { return View(services_.config.profile(raw_)); }
  std::string_view name() const { return View(services_.config.name(raw_)); }  // of the plugin, in the profile

  // ---- log
  VerboseLog V(int32_t verbosity) const {
    const bool on = services_.log.enabled(raw_, verbosity) != 0;
    return {on ? &services_ : nullptr, raw_, verbosity};
  }
  void Info(std::string_view message, Fields fields = {}, SourcePlace at = SourcePlace::Here()) const {
    detail::WriteLine(services_, raw_, BERTH_LOG_INFO, 0, message, fields, at);
  }
  void Warning(std::string_view message, Fields fields = {}, SourcePlace at = SourcePlace::Here()) const {
    detail::WriteLine(services_, raw_, BERTH_LOG_WARNING, 0, message, fields, at);
  }
  void Error(std::string_view message, Fields fields = {}, SourcePlace at = SourcePlace::Here()) const {
    detail::WriteLine(services_, raw_, BERTH_LOG_ERROR, 0, message, fields, at);
  }

  // ---- shared arithmetic
  // [parallel] Effective requests of a pod, sorted by name text; flags are BERTH_REQUESTS_*. Lives as long as the pod's
  // resources block.
  List<berth_amount> Requests(const Pod& pod, uint32_t flags = 0) const {
    return services_.requests.of(raw_, pod.raw(), flags);
  }
  sdk::Selectors Selectors() const { return {&services_.selectors, raw_}; }

  // ---- columns on demand: [serial] in Activate. Throws when the host refuses.
  void OpenColumn(uint32_t what, Id key) {
    if (services_.snapshot.open_column(raw_, what, key) != 0) {
      throw std::runtime_error("the host refused to open column " + std::to_string(what) + " with key \"" +
                               std::string(Text(key)) + "\"");
    }
  }

  // ---- binding
  // [bind] Makes the host write the binding and end the op. Return the result of this function.
  Status Bind(const Pod& pod, Id node, Op& op) const {
    const berth_status answer = services_.binder.bind(raw_, pod.raw(), node, op.raw());
    if (answer == BERTH_LATER) op.Release();  // now the host owns it
    return Status(answer);
  }
  // fn(Pod) for each pod that waits in permit at this moment, of every profile. fn must not throw.
  template <class Fn>
  void EachWaiting(Fn&& fn) const {
    services_.waiting.each(
        raw_, [](void* ctx, const berth_pod* pod) { (*static_cast<std::remove_reference_t<Fn>*>(ctx))(Pod(pod)); },
        const_cast<void*>(static_cast<const void*>(std::addressof(fn))));
  }
  // For this plugin. False: that pod is not waiting.
  bool AllowWaiting(std::string_view uid) const { return services_.waiting.allow(raw_, Borrow(uid)) != 0; }
  bool RejectWaiting(std::string_view uid, std::string_view reason) const {
    return services_.waiting.reject(raw_, Borrow(uid), Borrow(reason)) != 0;
  }

 private:
  const berth_host* raw_;
  detail::Services services_{};
};

}  // namespace berth::sdk
