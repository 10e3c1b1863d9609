// An API server that does nothing but write down what it is asked; the test answers.
//   plugin.host().api().AnswersBy([](const FakeRequest& r) { return FakeReply::NotFound("pods \"p1\" not found"); });
//   ... or, one by one: plugin.host().api().Answer(0, {200});
// Thread: requests and Events come from any; the rest is the test's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "berth/api.h"
#include "berth/testing/checker.hpp"
#include "berth/testing/fake_pod.hpp"

namespace berth::sdk::testing {

struct FakeRequest {
  std::string verb, group, version, resource, ns, name, subresource, content_type, body;

  // "PATCH pods/default/p1/status", with the group before the resource where there is one ("storage.k8s.io/...").
  std::string Line() const {
    std::string line = verb + " " + (group.empty() ? "" : group + "/") + resource;
    for (const std::string* part : {&ns, &name, &subresource}) {
      if (!part->empty()) line += "/" + *part;
    }
    return line;
  }
  friend std::ostream& operator<<(std::ostream& out, const FakeRequest& r) { return out << r.Line() << " " << r.body; }
};

struct FakeReply {
  int32_t code = 200;
  std::string body = "{}";
  std::string reason, message;

  static FakeReply NotFound(std::string message) { return {404, "{}", "NotFound", std::move(message)}; }
  static FakeReply Conflict(std::string message) { return {409, "{}", "Conflict", std::move(message)}; }
  static FakeReply Failed(std::string message) { return {500, "{}", "InternalError", std::move(message)}; }
  static FakeReply Lost(const std::string& error) { return {0, error, "", error}; }  // no answer came
};

class FakeApi {
 public:
  explicit FakeApi(Checker& checker) : checker_(checker) {}

  // Answers what comes from now on whenever Deliver is called; a PreBind or Bind that is waited for calls it.
  FakeApi& AnswersBy(std::function<FakeReply(const FakeRequest&)> answer) { return answer_ = std::move(answer), *this; }

  // ---- what the plugin asked for
  std::vector<FakeRequest> requests() const {  // all, in order
    const std::lock_guard lock(mutex_);
    std::vector<FakeRequest> all;
    for (const Asked& one : asked_) all.push_back(one.request);
    return all;
  }
  Texts Lines() const {
    Texts lines;
    for (const FakeRequest& request : requests()) lines.push_back(request.Line());
    return lines;
  }
  size_t unanswered() const {
    const std::lock_guard lock(mutex_);
    return static_cast<size_t>(std::count_if(asked_.begin(), asked_.end(), [](const Asked& a) { return a.done; }));
  }
  // "Normal Preempted Preempting default/victim default/preemptor: NOTE", in order; "-" without a related pod.
  Texts events() const {
    const std::lock_guard lock(mutex_);
    return events_;
  }
  size_t kept_pods() const {  // keep_pod without its drop_pod
    const std::lock_guard lock(mutex_);
    return kept_.size();
  }

  // ---- answering
  // The i-th request, counted from 0; throws std::logic_error when it has been answered or was never made.
  void Answer(size_t i, const FakeReply& reply = {}) {
    const Asked asked = Take(i);
    if (asked.done == nullptr) throw std::logic_error("request " + std::to_string(i) + " does not wait for an answer");
    const CallScope scope(checker_, "a reply", kNoCall);
    Reply(asked, reply);
  }
  // Answers open requests with AnswersBy, and the requests that follow from the answers. Without AnswersBy it does
  // nothing.
  void Deliver() {
    if (!answer_) return;
    for (size_t i = 0; i < asked(); ++i) {
      const Asked asked = Take(i);
      if (asked.done == nullptr) continue;
      const CallScope scope(checker_, "a reply", kNoCall);
      Reply(asked, answer_(asked.request));
    }
  }

  // As the host ends an instance: what waits is answered with code 0, and pods go. Called by PluginUnderTest.
  void End() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    for (size_t i = 0; i < asked(); ++i) {
      const Asked asked = Take(i);
      if (asked.done == nullptr) continue;
      const CallScope scope(checker_, "a reply that does not come", kEnding);
      Reply(asked, FakeReply::Lost(kEnded));
    }
  }
  void DropAll() {
    const std::lock_guard lock(mutex_);
    kept_.clear();
  }

  // The table, of a host that has api() and is what berth_host.impl points at.
  template <class FakeHost>
  static berth_api Table() {
    return {sizeof(berth_api), 0, &Send<FakeHost>, &Event<FakeHost>, &KeepPod<FakeHost>, &DropPod<FakeHost>};
  }

 private:
  using Done = void (*)(void* ctx, const berth_api_reply* reply);
  struct Asked {
    FakeRequest request;
    Done done;  // null: answered
    void* ctx;
  };
  static constexpr const char* kEnded = "the plugin's instance has ended";

  template <class FakeHost>
  static FakeApi& Of(const berth_host* host) {
    return static_cast<FakeHost*>(host->impl)->api();
  }
  template <class FakeHost>
  static void Send(const berth_host* host, const berth_api_request* raw, Done done, void* ctx) {
    FakeApi& self = Of<FakeHost>(host);
    self.checker_.MayCall("api send()", kAnywhere);
    const auto text = [](berth_str s) { return std::string(View(s)); };
    Asked asked{{text(raw->verb), text(raw->group), text(raw->version), text(raw->resource), text(raw->ns),
                 text(raw->name), text(raw->subresource), text(raw->content_type), text(raw->body)},
                done,
                ctx};
    {
      const std::lock_guard lock(self.mutex_);
      if (!self.ended_) return self.asked_.push_back(std::move(asked));
    }
    Reply(asked, FakeReply::Lost(kEnded));
  }
  template <class FakeHost>
  static void Event(const berth_host* host, const berth_pod* regarding, const berth_pod* related, berth_str type,
                    berth_str reason, berth_str action, berth_str note) {
    FakeApi& self = Of<FakeHost>(host);
    self.checker_.MayCall("api event()", kAnywhere);
    if (View(type) != "Normal" && View(type) != "Warning") {
      self.checker_.Report("api event() with the type \"" + std::string(View(type)) + "\"");
    }
    std::string line;
    for (const berth_str part : {type, reason, action}) line += std::string(View(part)) + " ";
    line += Key(regarding) + " " + (related == nullptr ? "-" : Key(related)) + ": " + std::string(View(note));
    const std::lock_guard lock(self.mutex_);
    self.events_.push_back(std::move(line));
  }
  template <class FakeHost>
  static void KeepPod(const berth_host* host, const berth_pod* pod) {
    FakeApi& self = Of<FakeHost>(host);
    self.checker_.MayCall("api keep_pod()", kAnywhere);
    const std::lock_guard lock(self.mutex_);
    self.kept_.emplace(pod, PodObject::Of(pod)->shared_from_this());
  }
  template <class FakeHost>
  static void DropPod(const berth_host* host, const berth_pod* pod) {
    FakeApi& self = Of<FakeHost>(host);
    self.checker_.MayCall("api drop_pod()", kAnywhere);
    std::shared_ptr<const PodObject> dropped;  // goes without the lock
    const std::lock_guard lock(self.mutex_);
    const auto at = self.kept_.find(pod);
    if (at == self.kept_.end()) return self.checker_.Report("api drop_pod() of a pod that is not kept");
    dropped = std::move(at->second);
    self.kept_.erase(at);
  }
  static std::string Key(const berth_pod* pod) { return TextOf(pod->ns) + "/" + std::string(View(pod->name)); }

  size_t asked() const {
    const std::lock_guard lock(mutex_);
    return asked_.size();
  }
  Asked Take(size_t i) {
    const std::lock_guard lock(mutex_);
    if (i >= asked_.size()) return {};
    Asked taken = asked_[i];
    asked_[i].done = nullptr;
    return taken;
  }
  static void Reply(const Asked& asked, const FakeReply& reply) {
    Arena arena;
    const berth_api_reply raw{sizeof(berth_api_reply), reply.code, arena.Text(reply.body), arena.Text(reply.reason),
                              arena.Text(reply.message)};
    asked.done(asked.ctx, arena.Make(raw));
  }

  Checker& checker_;
  std::function<FakeReply(const FakeRequest&)> answer_;
  mutable std::mutex mutex_;  // guards what follows
  std::deque<Asked> asked_;
  Texts events_;
  std::multimap<const berth_pod*, std::shared_ptr<const PodObject>> kept_;
  bool ended_ = false;
};

}  // namespace berth::sdk::testing
