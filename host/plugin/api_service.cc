// berth.host.api/1: requests to the API server, and Events, for instances.
#include <memory>
#include <utility>

#include "api/text_view.h"
#include "berth/draft/api.h"
#include "plugin/instance.h"
#include "plugin/owed.h"
#include "plugin/pod_of.h"
#include "plugin/services.h"

namespace berth::plugin {
namespace {

using Done = void (*)(void* ctx, const berth_api_reply* reply);

HostContext& ContextOf(const berth_host* host) { return *static_cast<HostContext*>(host->impl); }
using api::View;
berth_str Str(std::string_view text) { return {text.data(), text.size()}; }

void Tell(Done done, void* ctx, const ApiAnswer& answer) {
  const std::string& body = answer.code == 0 ? answer.message : answer.body;
  const berth_api_reply raw{sizeof raw, answer.code, Str(body), Str(answer.reason), Str(answer.message)};
  done(ctx, &raw);
}
void TellLost(Done done, void* ctx, const char* why) { Tell(done, ctx, ApiAnswer{0, "", "", why}); }

// How many sends this thread is in. A reply that comes before send has returned would find the plugin's locks held.
thread_local int t_sends = 0;

// One request until its answer.
struct Waiting {
  std::shared_ptr<Owed> owed;
  uint64_t ticket;
  Instance* instance;
  Done done;
  void* ctx;

  void Take(const ApiAnswer& answer) const {
    if (!owed->Take(ticket)) return;
    if (instance->quarantined()) {
      instance->LetGo("a reply", [&] { TellLost(done, ctx, "the plugin is quarantined"); });
    } else {
      instance->CallPromptly("a reply", [&] { Tell(done, ctx, answer); });
    }
    owed->Over();
  }
  // Not within send; without a scheduling thread it waits for the instance's end.
  void TakeLater(ApiAnswer answer) const {
    TaskPort* tasks = instance->services().tasks;
    if (tasks != nullptr) tasks->Post(0, [waiting = *this, answer = std::move(answer)] { waiting.Take(answer); });
  }
};

ApiRequest RequestOf(const berth_api_request& raw) {
  const auto text = [](berth_str s) { return std::string(View(s)); };
  return {text(raw.verb), text(raw.group),       text(raw.version),      text(raw.resource), text(raw.ns),
          text(raw.name), text(raw.subresource), text(raw.content_type), text(raw.body)};
}

void Send(const berth_host* host, const berth_api_request* raw, Done done, void* ctx) {
  HostContext& context = ContextOf(host);
  if (context.instance == nullptr) return TellLost(done, ctx, "there is no API server while args are judged");
  Instance& instance = *context.instance;
  const auto abandon = [&instance, done, ctx] {
    instance.LetGo("a reply", [&] { TellLost(done, ctx, "the plugin's instance has ended"); });
  };
  Waiting waiting{instance.owed(), 0, &instance, done, ctx};
  waiting.ticket = waiting.owed->Add(abandon);
  if (waiting.ticket == 0) return TellLost(done, ctx, "the plugin's instance has ended");
  ApiPort* api = context.services->api;
  if (api == nullptr) return waiting.TakeLater({0, "", "", "this host has no API server"});
  ++t_sends;
  api->Send(RequestOf(*raw), [waiting](ApiAnswer answer) {
    if (t_sends > 0) return waiting.TakeLater(std::move(answer));
    waiting.Take(answer);
  });
  --t_sends;
}

// The server refuses longer notes: k8s.io/kubernetes/pkg/apis/core/validation/events.go. Never within a letter.
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
  if (context.instance == nullptr || context.services->api == nullptr) return;
  context.services->api->Event({PodOf(*regarding), related == nullptr ? nullptr : &PodOf(*related),
                                context.instance->profile(), View(type), View(reason), View(action), Cut(View(note))});
}

void KeepPod(const berth_host* host, const berth_pod* pod) {
  Instance* instance = ContextOf(host).instance;
  if (instance != nullptr) instance->kept_pods().Keep(api::PodRef(&PodOf(*pod)));
}

void DropPod(const berth_host* host, const berth_pod* pod) {
  Instance* instance = ContextOf(host).instance;
  if (instance != nullptr) instance->kept_pods().Drop(pod);
}

}  // namespace

const void* ApiService() {
  static const berth_api table{sizeof table, 0, Send, Event, KeepPod, DropPod};
  return &table;
}

}  // namespace berth::plugin
