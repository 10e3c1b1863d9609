// Requests to the API server, and Events. Make an Api in the plugin's constructor and keep it; a host without the
// service throws MissingService when it is used.
//   explicit MyPlugin(sdk::Host& host) : api_(host) {}
//   api_.Send({.verb = "DELETE", .resource = "pods", .ns = "default", .name = "p1"},
//             [this](const sdk::ApiReply& reply) { if (!reply.ok() && !reply.NotFound()) Complain(reply.message); });
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "berth/api.h"
#include "berth/detail/barrier.hpp"
#include "berth/detail/services.hpp"
#include "berth/host.hpp"
#include "berth/views.hpp"

namespace berth::sdk {

inline constexpr std::string_view kJsonBody = "application/json";
inline constexpr std::string_view kMergePatch = "application/merge-patch+json";
inline constexpr std::string_view kStrategicMergePatch = "application/strategic-merge-patch+json";

// Texts are borrowed until Send returns.
struct ApiRequest {
  std::string_view verb;        // "GET" "POST" "PUT" "PATCH" "DELETE"
  std::string_view group = "";  // "" is the core
  std::string_view version = "v1";
  std::string_view resource;  // "pods"
  std::string_view ns = "", name = "", subresource = "";
  std::string_view content_type = "";  // of body
  std::string_view body = "";          // JSON
};

// Borrowed for the call that gets it.
struct ApiReply {
  int32_t code = 0;  // HTTP status; 0 = there was no answer, and the server may or may not have executed the request
  std::string_view body;
  std::string_view reason, message;  // of a refusal: "NotFound", and the server's message

  bool ok() const { return code >= 200 && code < 300; }
  bool NotFound() const { return code == 404; }
  bool Conflict() const { return code == 409; }
};

namespace detail {

// A function that waits for a reply, which owns it.
template <class Fn>
struct WaitingReply {
  const Host* host;
  Fn fn;

  static void Done(void* ctx, const berth_api_reply* raw) noexcept {
    const std::unique_ptr<WaitingReply> self(static_cast<WaitingReply*>(ctx));
    const ApiReply reply{raw->code, View(raw->body), View(raw->reason), View(raw->message)};
    GuardedCallback(*self->host, "taking a reply", [&] { self->fn(reply); });
  }
};

}  // namespace detail

class Api {
 public:
  explicit Api(const Host& host)
      : host_(&host), table_(detail::CopyTable<berth_api>(host.raw()->service(host.raw(), BERTH_SERVICE_API))) {
    using detail::Patch;
    Patch<"berth.host.api/1: send">(table_, &berth_api::send);
    Patch<"berth.host.api/1: event">(table_, &berth_api::event);
    Patch<"berth.host.api/1: keep_pod">(table_, &berth_api::keep_pod);
    Patch<"berth.host.api/1: drop_pod">(table_, &berth_api::drop_pod);
  }

  // [any] done(const ApiReply&) is called exactly once, [any], in nearly every case after Send has returned (see
  // api.h), with code 0 when the host or the instance ends first. It must not block. The host logs its exceptions. It
  // need not be copyable.
  template <class Done>
  void Send(const ApiRequest& request, Done&& done) const {
    using Box = detail::WaitingReply<std::decay_t<Done>>;
    auto waiting = std::make_unique<Box>(Box{host_, std::forward<Done>(done)});
    const berth_api_request raw{sizeof(berth_api_request),   0,
                                Borrow(request.verb),        Borrow(request.group),
                                Borrow(request.version),     Borrow(request.resource),
                                Borrow(request.ns),          Borrow(request.name),
                                Borrow(request.subresource), Borrow(request.content_type),
                                Borrow(request.body)};
    table_.send(host_->raw(), &raw, &Box::Done, waiting.get());
    waiting.release();  // NOLINT(bugprone-unused-return-value): Done owns it, and a missing service threw before
  }

  // [any] An Event about a pod, kept or of the call; related may be empty. type: "Normal" or "Warning".
  void Event(const Pod& regarding, const Pod& related, std::string_view type, std::string_view reason,
             std::string_view action, std::string_view note) const {
    table_.event(host_->raw(), regarding.raw(), related.raw(), Borrow(type), Borrow(reason), Borrow(action),
                 Borrow(note));
  }

 private:
  friend class KeptPod;
  const Host* host_;
  berth_api table_;
};

// A pod that stays unchanged and readable after the call that showed it. The Api must outlive it.
class KeptPod {
 public:
  KeptPod() = default;
  KeptPod(const Api& api, const Pod& pod) : api_(&api), pod_(pod) { api.table_.keep_pod(api.host_->raw(), pod.raw()); }
  KeptPod(const KeptPod& other) : api_(other.api_), pod_(other.pod_) {
    if (pod_) api_->table_.keep_pod(api_->host_->raw(), pod_.raw());
  }
  KeptPod(KeptPod&& other) noexcept : api_(other.api_), pod_(std::exchange(other.pod_, Pod())) {}
  KeptPod& operator=(KeptPod other) noexcept {
    std::swap(api_, other.api_);
    std::swap(pod_, other.pod_);
    return *this;
  }
  ~KeptPod() {
    if (pod_) api_->table_.drop_pod(api_->host_->raw(), pod_.raw());
  }

  explicit operator bool() const { return static_cast<bool>(pod_); }
  const Pod& get() const { return pod_; }
  const Pod* operator->() const { return &pod_; }
  operator const Pod&() const { return pod_; }  // NOLINT: meant to convert

 private:
  const Api* api_ = nullptr;
  Pod pod_;
};

}  // namespace berth::sdk
