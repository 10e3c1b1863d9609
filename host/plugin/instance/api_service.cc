// berth.host.api/1 and berth.host.http/1: requests to the API server and to other servers, and Events, for instances.
#include <algorithm>
#include <memory>
#include <utility>

#include "api/text_view.h"
#include "berth/api.h"
#include "berth/http.h"
#include "plugin/instance/instance.h"
#include "plugin/instance/pending_callbacks.h"
#include "plugin/instance/pod_of.h"
#include "plugin/instance/services.h"

namespace berth::plugin {
namespace {

using Done = void (*)(void* ctx, const berth_api_reply* reply);

using api::View;

void SendReply(Done done, void* ctx, const ApiAnswer& answer) {
  const std::string& body = answer.code == 0 ? answer.message : answer.body;
  const berth_api_reply raw{sizeof raw, answer.code, api::Borrow(body), api::Borrow(answer.reason),
                            api::Borrow(answer.message)};
  done(ctx, &raw);
}
void SendNoReply(Done done, void* ctx, const char* why) { SendReply(done, ctx, ApiAnswer{0, "", "", why}); }

// How many sends run on this thread. The plugin may hold locks during send, so no reply runs before send returns.
thread_local int t_sends = 0;

// A request without a reply.
struct OpenRequest {
  std::shared_ptr<PendingCallbacks> pending;
  uint64_t ticket;
  Instance* instance;
  Done done;
  void* ctx;

  void Take(const ApiAnswer& answer) const {
    if (!pending->Take(ticket)) return;
    if (instance->quarantined()) {
      instance->CallToRelease("a reply", [&] { SendNoReply(done, ctx, "the plugin is quarantined"); });
    } else {
      instance->CallPromptly("a reply", [&] { SendReply(done, ctx, answer); });
    }
    pending->Done();
  }
  // After send. Without a scheduling thread the request stays open until the instance ends.
  void TakeLater(ApiAnswer answer) const {
    TaskPort* tasks = instance->services().ports.tasks;
    if (tasks != nullptr) tasks->Post(0, [request = *this, answer = std::move(answer)] { request.Take(answer); });
  }
};

ApiRequest RequestOf(const berth_api_request& raw) {
  const auto text = [](berth_str s) { return std::string(View(s)); };
  return {text(raw.verb), text(raw.group),       text(raw.version),      text(raw.resource), text(raw.ns),
          text(raw.name), text(raw.subresource), text(raw.content_type), text(raw.body)};
}

// port: null if the host lacks it; send(port, done) starts the request.
template <class Port, class Send>
void Ask(const berth_host* host, Port* port, const char* lack, Done done, void* ctx, const Send& send) {
  HostContext& context = ContextOf(host);
  if (context.instance == nullptr) return SendNoReply(done, ctx, "there is no server while args are checked");
  Instance& instance = *context.instance;
  const auto abandon = [&instance, done, ctx] {
    instance.CallToRelease("a reply", [&] { SendNoReply(done, ctx, "the plugin's instance has ended"); });
  };
  OpenRequest request{instance.pending_callbacks(), 0, &instance, done, ctx};
  request.ticket = request.pending->Add(abandon);
  if (request.ticket == 0) return SendNoReply(done, ctx, "the plugin's instance has ended");
  if (port == nullptr) return request.TakeLater({0, "", "", lack});
  ++t_sends;
  send(*port, [request](ApiAnswer answer) {
    if (t_sends > 0) return request.TakeLater(std::move(answer));
    request.Take(answer);
  });
  --t_sends;
}

void Send(const berth_host* host, const berth_api_request* raw, Done done, void* ctx) {
  Ask(host, ContextOf(host).services->ports.api, "this host has no API server", done, ctx,
      [raw](ApiPort& api, ApiPort::Done reply) { api.Send(RequestOf(*raw), std::move(reply)); });
}

HttpRequest HttpRequestOf(const berth_http_request& raw) {
  return {std::string(View(raw.url)), std::string(View(raw.authorization)), (raw.flags & BERTH_HTTP_INSECURE) != 0,
          std::max<int64_t>(raw.timeout_ns, 1)};
}

void Get(const berth_host* host, const berth_http_request* raw, Done done, void* ctx) {
  Ask(host, ContextOf(host).services->ports.http, "this host sends requests of plugins to the API server only", done,
      ctx, [raw](HttpPort& http, ApiPort::Done reply) { http.Get(HttpRequestOf(*raw), std::move(reply)); });
}

// The API server refuses longer notes: NoteLengthLimit in pkg/apis/core/validation/events.go. Cuts between letters.
std::string Cut(std::string_view note) {
  constexpr std::string_view kSuffix = " ...";
  constexpr size_t kMost = 1024;
  if (note.size() <= kMost) return std::string(note);
  size_t end = kMost - kSuffix.size();
  while (end > 0 && (static_cast<unsigned char>(note[end]) & 0xC0) == 0x80) --end;
  return std::string(note.substr(0, end)).append(kSuffix);
}

void Event(const berth_host* host, const berth_pod* regarding, const berth_pod* related, berth_str type,
           berth_str reason, berth_str action, berth_str note) {
  HostContext& context = ContextOf(host);
  if (context.instance == nullptr || context.services->ports.api == nullptr) return;
  context.services->ports.api->Event({PodOf(*regarding), related == nullptr ? nullptr : &PodOf(*related),
                                      context.instance->profile(), View(type), View(reason), View(action),
                                      Cut(View(note))});
}

void KeepPod(const berth_host* host, const berth_pod* pod) {
  Instance* instance = ContextOf(host).instance;
  if (instance != nullptr) instance->handles().pods().Keep(api::PodRef(&PodOf(*pod)));
}

void DropPod(const berth_host* host, const berth_pod* pod) {
  Instance* instance = ContextOf(host).instance;
  if (instance != nullptr) instance->handles().pods().Drop(pod);
}

}  // namespace

const void* ApiService() {
  static const berth_api table{sizeof table, 0, Send, Event, KeepPod, DropPod};
  return &table;
}

const void* HttpService() {
  static const berth_http table{sizeof table, 0, Get};
  return &table;
}

}  // namespace berth::plugin
