#include "dispatch/binder.h"

#include <algorithm>

#include "dispatch/pod_paths.h"
#include "json/value.h"
#include "kube/api_status.h"
#include "log/log.h"

namespace berth::dispatch {
namespace {

constexpr int kSends = 2;
// A binding that was refused has hardly been made all the same: that is asked for half a minute. One that was lost may
// well have been, and is asked about for an hour before the pod is tried again.
constexpr int kAsksAfterARefusal = 12, kAsksAfterALoss = 720;
constexpr int64_t kAskAgain = 500 * base::kMillisecond, kLongestWait = 5 * base::kSecond;

std::string BodyOf(std::string_view ns, std::string_view name, std::string_view uid, std::string_view node) {
  std::string body = R"({"apiVersion":"v1","kind":"Binding","metadata":{"name":)";
  json::AppendQuoted(body, name);
  body += R"(,"namespace":)";
  json::AppendQuoted(body, ns);
  body += R"(,"uid":)";
  json::AppendQuoted(body, uid);
  body += R"(},"target":{"kind":"Node","name":)";
  json::AppendQuoted(body, node);
  return body + "}}";
}

void End(berth_op* op, berth_status status, const std::string& reason) {
  const berth_str text{reason.data(), static_cast<uint32_t>(reason.size())};
  op->done(op, status, &text, reason.empty() ? 0 : 1);
}

std::string TextAt(const json::Value& object, std::string_view path) {
  const json::Value* value = object.FindPath(path);
  return value == nullptr ? "" : value->string();
}

}  // namespace

struct Binder::Binding {
  std::string ns, name, uid, node;
  berth_op* op;
  std::string refusal;  // what to say when the pod turns out not to be where it should
  bool lost = false;    // no reply came to the last sending
  int sends = 0, asks = 0;
};

void Binder::Bind(std::string_view ns, std::string_view name, std::string_view uid, std::string_view node,
                  berth_op* op) {
  auto binding = std::make_shared<Binding>();
  binding->ns = ns;
  binding->name = name;
  binding->uid = uid;
  binding->node = node;
  binding->op = op;
  Send(binding);
}

void Binder::Send(const std::shared_ptr<Binding>& binding) {
  ++binding->sends;
  http::Request request;
  request.method = "POST";
  request.path = PodPath(binding->ns, binding->name, "binding");
  request.content_type = "application/json";
  request.body = BodyOf(binding->ns, binding->name, binding->uid, binding->node);
  queue_.Post(
      std::move(request), [this, binding](const http::Reply& reply) { OnReply(binding, reply); }, kube::Turn::kBinding);
}

void Binder::OnReply(const std::shared_ptr<Binding>& binding, const http::Reply& reply) {
  if (reply.ok()) return End(binding->op, BERTH_SUCCESS, "");
  const kube::ApiStatus status = kube::StatusOf(reply, "bind " + binding->ns + "/" + binding->name);
  binding->refusal = status.message;
  binding->lost = reply.status == 0;
  // The transport itself may have sent it twice, so that even a plain refusal may be the answer to the second. Only
  // what no sending of ours can be behind is certain.
  const bool first_and_unsent = binding->sends == 1 && binding->lost && !reply.maybe_delivered;
  const bool certain = status.NotFound() || status.code == 400 || status.code == 422 || first_and_unsent;
  if (certain || queue_.stopped()) return End(binding->op, BERTH_ERROR, binding->refusal);
  AskWhereItIs(binding);
}

void Binder::AskWhereItIs(const std::shared_ptr<Binding>& binding) {
  http::Request request;
  request.path = PodPath(binding->ns, binding->name);
  const int64_t delay = binding->asks == 0 ? 0 : std::min(kAskAgain * binding->asks, kLongestWait);
  ++binding->asks;
  auto done = [this, binding](const http::Reply& reply) { OnPod(binding, reply); };
  if (delay == 0) return queue_.Post(std::move(request), std::move(done), kube::Turn::kBinding);
  queue_.PostAfter(delay, std::move(request), std::move(done), kube::Turn::kBinding);
}

void Binder::AskAgain(const std::shared_ptr<Binding>& binding) {
  const bool enough = binding->asks >= (binding->lost ? kAsksAfterALoss : kAsksAfterARefusal);
  if (enough || queue_.stopped()) return End(binding->op, BERTH_ERROR, binding->refusal);
  AskWhereItIs(binding);
}

void Binder::OnPod(const std::shared_ptr<Binding>& binding, const http::Reply& reply) {
  if (reply.status == 404) return End(binding->op, BERTH_ERROR, binding->refusal);
  if (!reply.ok()) return AskAgain(binding);
  const auto pod = json::Parse(reply.body);
  const bool same = pod && TextAt(*pod, "metadata.uid") == binding->uid;
  const std::string node = pod ? TextAt(*pod, "spec.nodeName") : "";
  // Should the lost request still arrive, this one conflicts with it and finds the pod where it should be.
  if (same && node.empty() && binding->lost && binding->sends < kSends) return Send(binding);
  if (same && node == binding->node) {
    log::V(2, "Binding was made although its reply said otherwise or was lost",
           {{"pod", binding->ns + "/" + binding->name}, {"node", binding->node}});
    return End(binding->op, BERTH_SUCCESS, "");
  }
  End(binding->op, BERTH_ERROR, binding->refusal);
}

}  // namespace berth::dispatch
