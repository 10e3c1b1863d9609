#include "dispatch/binder.h"

#include "dispatch/pod_paths.h"
#include "json/value.h"
#include "kube/api_status.h"
#include "log/log.h"

namespace berth::dispatch {
namespace {

// A server that has just gone is given this often to come back and say where the pod is.
constexpr int kAsks = 5;
constexpr int kSends = 2;
constexpr int64_t kAskAgain = 500 * base::kMillisecond;

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
  int asks_left = kAsks;
  bool lost = false;  // the last reply did not come
  int sends_left = kSends;
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
  http::Request request;
  request.method = "POST";
  request.path = PodPath(binding->ns, binding->name, "binding");
  request.content_type = "application/json";
  request.body = BodyOf(binding->ns, binding->name, binding->uid, binding->node);
  queue_.Post(std::move(request), [this, binding](const http::Reply& reply) { OnReply(binding, reply); });
}

void Binder::OnReply(const std::shared_ptr<Binding>& binding, const http::Reply& reply) {
  if (reply.ok()) return End(binding->op, BERTH_SUCCESS, "");
  const kube::ApiStatus status = kube::StatusOf(reply, "bind " + binding->ns + "/" + binding->name);
  binding->refusal = status.message;
  binding->lost = reply.status == 0;
  const bool doubtful = status.Conflict() || reply.maybe_delivered || status.code >= 500;
  if (!doubtful) return End(binding->op, BERTH_ERROR, binding->refusal);
  AskWhereItIs(binding, 0);
}

void Binder::AskWhereItIs(const std::shared_ptr<Binding>& binding, int64_t delay_ns) {
  --binding->asks_left;
  http::Request request;
  request.path = PodPath(binding->ns, binding->name);
  auto done = [this, binding](const http::Reply& reply) { OnPod(binding, reply); };
  if (delay_ns == 0) return queue_.Post(std::move(request), std::move(done));
  queue_.PostAfter(delay_ns, std::move(request), std::move(done));
}

void Binder::OnPod(const std::shared_ptr<Binding>& binding, const http::Reply& reply) {
  if (!reply.ok()) {
    const bool hopeful = reply.status == 0 || reply.status >= 500 || reply.status == 429;
    if (hopeful && binding->asks_left > 0) return AskWhereItIs(binding, kAskAgain);
    return End(binding->op, BERTH_ERROR, binding->refusal);
  }
  const auto pod = json::Parse(reply.body);
  const bool same = pod && TextAt(*pod, "metadata.uid") == binding->uid;
  const std::string node = pod ? TextAt(*pod, "spec.nodeName") : "";
  // Should the lost request still arrive, this one conflicts with it and finds the pod where it should be.
  if (same && node.empty() && binding->lost && --binding->sends_left > 0) return Send(binding);
  if (same && node == binding->node) {
    log::V(2, "Binding was made although its reply said otherwise or was lost",
           {{"pod", binding->ns + "/" + binding->name}, {"node", binding->node}});
    return End(binding->op, BERTH_SUCCESS, "");
  }
  End(binding->op, BERTH_ERROR, binding->refusal);
}

}  // namespace berth::dispatch
