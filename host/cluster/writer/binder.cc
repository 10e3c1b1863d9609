#include "cluster/writer/binder.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "client/requests/api_status.h"
#include "cluster/writer/binding_body.h"
#include "cluster/writer/pod_paths.h"
#include "codec/json/value.h"
#include "telemetry/log/log.h"

namespace berth::writer {
namespace {

constexpr int kSends = 2;
// How often to read the pod: for half a minute if every sending was refused, because the binding is unlikely to exist,
// and for an hour if the outcome of a sending is unknown.
constexpr int kAsksAfterARefusal = 12, kAsksIfUnknown = 720;
constexpr int64_t kAskAgain = 500 * base::kMillisecond, kLongestWait = 5 * base::kSecond;

}  // namespace

struct Binder::Binding {
  std::string ns, name, uid, node;
  berth_op* op;
  std::string refusal;   // the error if the pod is not bound to the node
  bool unknown = false;  // a sending may have bound the pod, or may still bind it
  int sends = 0, asks = 0;
  std::atomic<bool> pod_deleted{false};
};

namespace {

std::function<const char*()> UnlessDeleted(const Binder::BindingPtr& binding) {
  return [binding] { return binding->pod_deleted ? "the pod was deleted" : nullptr; };
}

}  // namespace

Binder::BindingPtr Binder::Open(std::string_view ns, std::string_view name, std::string_view uid, std::string_view node,
                                berth_op* op) {
  auto binding = std::make_shared<Binding>();
  binding->ns = ns;
  binding->name = name;
  binding->uid = uid;
  binding->node = node;
  binding->op = op;
  base::MutexLock lock(mutex_);
  open_.emplace(binding->uid, binding);
  return binding;
}

void Binder::PodDeleted(std::string_view uid) {
  base::MutexLock lock(mutex_);
  const auto [first, last] = open_.equal_range(uid);
  for (auto it = first; it != last; ++it) it->second->pod_deleted = true;
}

void Binder::End(const BindingPtr& binding, berth_status status, const std::string& reason) {
  {
    base::MutexLock lock(mutex_);
    const auto [first, last] = open_.equal_range(binding->uid);
    const auto it = std::find_if(first, last, [&](const auto& entry) { return entry.second == binding; });
    open_.erase(it);
    if (binding->unknown && --unknown_ == 0) settled_.notify_all();
  }
  const berth_str text{reason.data(), static_cast<uint32_t>(reason.size())};
  binding->op->done(binding->op, status, &text, reason.empty() ? 0 : 1);
}

void Binder::Fail(const BindingPtr& binding) { End(binding, BERTH_ERROR, binding->refusal); }

void Binder::GiveUp(const BindingPtr& binding) {
  if (binding->unknown && !binding->pod_deleted) queue_.NoteUnknown();
  Fail(binding);
}

void Binder::NoteUnknown(Binding& binding) {
  base::MutexLock lock(mutex_);
  if (!std::exchange(binding.unknown, true)) ++unknown_;
}

bool Binder::AwaitOutcomes(int64_t ns) {
  base::MutexLock lock(mutex_);
  return settled_.wait_for(lock, std::chrono::nanoseconds(ns), [this]() REQUIRES(mutex_) { return unknown_ == 0; });
}

void Binder::Send(const BindingPtr& binding) {
  ++binding->sends;
  http::Request request;
  request.method = "POST";
  request.path = PodPath(binding->ns, binding->name, "binding");
  const requests::Encoding encoding = queue_.bodies();
  request.content_type = requests::TypeOf(encoding);
  request.accept = queue_.accept();
  request.body =
      BindingBody(encoding, {.ns = binding->ns, .name = binding->name, .uid = binding->uid, .node = binding->node});
  request.objection = UnlessDeleted(binding);
  queue_.Post(
      std::move(request), [this, binding](const http::Reply& reply) { OnReply(binding, reply); },
      requests::Turn::kBinding);
}

void Binder::OnReply(const BindingPtr& binding, const http::Reply& reply) {
  if (reply.ok()) return End(binding, BERTH_SUCCESS, "");
  if (binding->pod_deleted && reply.status == 0) {  // unsent, or it no longer matters whether the request arrived
    return End(binding, BERTH_ERROR, "pods \"" + binding->name + "\" not found");
  }
  const requests::ApiStatus status = requests::StatusOf(reply, "bind " + binding->ns + "/" + binding->name);
  binding->refusal = status.message;
  if (reply.maybe_delivered) ++lost_;
  if (requests::OutcomeUnknown(reply)) NoteUnknown(*binding);
  // The transport may have sent the binding twice, so even a refusal may be the answer to the second sending. Only a
  // refusal that no sending of this binding can have caused is certain.
  const bool never_sent = reply.status == 0 && !binding->unknown;
  const bool certain = status.NotFound() || status.code == 400 || status.code == 422 || never_sent;
  if (certain) return Fail(binding);
  if (binding->pod_deleted || queue_.stopped()) return GiveUp(binding);
  AskWhereItIs(binding);
}

void Binder::AskWhereItIs(const BindingPtr& binding) {
  http::Request request;
  request.path = PodPath(binding->ns, binding->name);
  request.objection = UnlessDeleted(binding);
  const int64_t delay = binding->asks == 0 ? 0 : std::min(kAskAgain * binding->asks, kLongestWait);
  ++binding->asks;
  auto done = [this, binding](const http::Reply& reply) { OnPod(binding, reply); };
  if (delay == 0) return queue_.Post(std::move(request), std::move(done), requests::Turn::kBinding);
  queue_.PostAfter(delay, std::move(request), std::move(done), requests::Turn::kBinding);
}

void Binder::AskAgain(const BindingPtr& binding) {
  const bool enough = binding->asks >= (binding->unknown ? kAsksIfUnknown : kAsksAfterARefusal);
  if (enough || binding->pod_deleted || queue_.stopped()) return GiveUp(binding);
  AskWhereItIs(binding);
}

void Binder::OnPod(const BindingPtr& binding, const http::Reply& reply) {
  if (reply.status == 404) return Fail(binding);
  if (!reply.ok()) return AskAgain(binding);
  const auto pod = json::Parse(reply.body);
  const bool same = pod && json::TextAt(*pod, "metadata.uid") == binding->uid;
  const std::string node = pod ? json::TextAt(*pod, "spec.nodeName") : "";
  // If the first request takes effect later, this one conflicts with it and the pod is found on its node.
  if (same && node.empty() && binding->unknown && binding->sends < kSends) {
    ++resent_;
    return Send(binding);
  }
  if (same && node == binding->node) {
    ++found_;
    log::V(2, "Pod is bound although the reply to its binding was lost or an error",
           {{"pod", log::KObj(binding->ns + "/" + binding->name)}, {"node", binding->node}});
    return End(binding, BERTH_SUCCESS, "");
  }
  if (same && node.empty()) return GiveUp(binding);
  Fail(binding);
}

}  // namespace berth::writer
