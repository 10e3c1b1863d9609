#include "berth/testing/fake_api.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "berth/testing/fake_host.hpp"

namespace berth::sdk::testing {

std::string FakeRequest::Line() const {
  if (!url.empty()) return verb + " " + url;
  std::string line = verb + " " + (group.empty() ? "" : group + "/") + resource;
  for (const std::string* part : {&ns, &name, &subresource}) {
    if (!part->empty()) line += "/" + *part;
  }
  return line;
}

std::ostream& operator<<(std::ostream& out, const FakeRequest& r) { return out << r.Line() << " " << r.body; }

FakeReply FakeReply::NotFound(std::string message) { return {404, "{}", "NotFound", std::move(message)}; }

FakeReply FakeReply::Conflict(std::string message) { return {409, "{}", "Conflict", std::move(message)}; }

FakeReply FakeReply::Failed(std::string message) { return {500, "{}", "InternalError", std::move(message)}; }

FakeReply FakeReply::Lost(const std::string& error) { return {0, error, "", error}; }

FakeApi::FakeApi(Checker& checker) : checker_(checker) {}

FakeApi::~FakeApi() = default;

FakeApi& FakeApi::AnswersBy(std::function<FakeReply(const FakeRequest&)> answer) {
  return answer_ = std::move(answer), *this;
}

std::vector<FakeRequest> FakeApi::requests() const {
  const std::lock_guard lock(mutex_);
  std::vector<FakeRequest> all;
  for (const Asked& one : asked_) all.push_back(one.request);
  return all;
}

Texts FakeApi::Lines() const {
  Texts lines;
  for (const FakeRequest& request : requests()) lines.push_back(request.Line());
  return lines;
}

size_t FakeApi::unanswered() const {
  const std::lock_guard lock(mutex_);
  return static_cast<size_t>(std::count_if(asked_.begin(), asked_.end(), [](const Asked& a) { return a.done; }));
}

Texts FakeApi::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

size_t FakeApi::kept_pods() const {
  const std::lock_guard lock(mutex_);
  return kept_.size();
}

void FakeApi::Answer(size_t i, const FakeReply& reply) {
  const Asked asked = Take(i);
  if (asked.done == nullptr) throw std::logic_error("request " + std::to_string(i) + " does not wait for an answer");
  const CallScope scope(checker_, "a reply", kNoCall);
  Reply(asked, reply);
}

void FakeApi::Deliver() {
  if (!answer_) return;
  for (size_t i = 0; i < asked(); ++i) {
    const Asked asked = Take(i);
    if (asked.done == nullptr) continue;
    const CallScope scope(checker_, "a reply", kNoCall);
    Reply(asked, answer_(asked.request));
  }
}

void FakeApi::End() {
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

void FakeApi::DropAll() {
  const std::lock_guard lock(mutex_);
  kept_.clear();
}

berth_api FakeApi::Table() { return {sizeof(berth_api), 0, &Send, &Event, &KeepPod, &DropPod}; }

berth_http FakeApi::HttpTable() { return {sizeof(berth_http), 0, &Get}; }

FakeApi& FakeApi::Of(const berth_host* host) { return static_cast<FakeHost*>(host->impl)->api(); }

void FakeApi::Send(const berth_host* host, const berth_api_request* raw, Done done, void* ctx) {
  FakeApi& self = Of(host);
  self.checker_.MayCall("api send()", kAnywhere);
  const auto text = [](berth_str s) { return std::string(View(s)); };
  Asked asked{{text(raw->verb), text(raw->group), text(raw->version), text(raw->resource), text(raw->ns),
               text(raw->name), text(raw->subresource), text(raw->content_type), text(raw->body)},
              done,
              ctx};
  self.Ask(std::move(asked));
}

void FakeApi::Get(const berth_host* host, const berth_http_request* raw, Done done, void* ctx) {
  FakeApi& self = Of(host);
  self.checker_.MayCall("http get()", kAnywhere);
  if (raw->timeout_ns <= 0) self.checker_.Report("http get() with a timeout that is not positive");
  FakeRequest request;
  request.verb = "GET";
  request.url = View(raw->url);
  request.authorization = View(raw->authorization);
  request.insecure = (raw->flags & BERTH_HTTP_INSECURE) != 0;
  request.timeout_ns = raw->timeout_ns;
  self.Ask({std::move(request), done, ctx});
}

void FakeApi::Ask(Asked asked) {
  {
    const std::lock_guard lock(mutex_);
    if (!ended_) return asked_.push_back(std::move(asked));
  }
  Reply(asked, FakeReply::Lost(kEnded));
}

void FakeApi::Event(const berth_host* host, const berth_pod* regarding, const berth_pod* related, berth_str type,
                    berth_str reason, berth_str action, berth_str note) {
  FakeApi& self = Of(host);
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

void FakeApi::KeepPod(const berth_host* host, const berth_pod* pod) {
  FakeApi& self = Of(host);
  self.checker_.MayCall("api keep_pod()", kAnywhere);
  const std::lock_guard lock(self.mutex_);
  self.kept_.emplace(pod, PodObject::Of(pod)->shared_from_this());
}

void FakeApi::DropPod(const berth_host* host, const berth_pod* pod) {
  FakeApi& self = Of(host);
  self.checker_.MayCall("api drop_pod()", kAnywhere);
  std::shared_ptr<const PodObject> dropped;  // is released without the lock
  const std::lock_guard lock(self.mutex_);
  const auto at = self.kept_.find(pod);
  if (at == self.kept_.end()) return self.checker_.Report("api drop_pod() of a pod that is not kept");
  dropped = std::move(at->second);
  self.kept_.erase(at);
}

std::string FakeApi::Key(const berth_pod* pod) { return TextOf(pod->ns) + "/" + std::string(View(pod->name)); }

size_t FakeApi::asked() const {
  const std::lock_guard lock(mutex_);
  return asked_.size();
}

FakeApi::Asked FakeApi::Take(size_t i) {
  const std::lock_guard lock(mutex_);
  if (i >= asked_.size()) return {};
  Asked taken = asked_[i];
  asked_[i].done = nullptr;
  return taken;
}

void FakeApi::Reply(const Asked& asked, const FakeReply& reply) {
  Arena arena;
  const berth_api_reply raw{sizeof(berth_api_reply), reply.code, arena.Text(reply.body), arena.Text(reply.reason),
                            arena.Text(reply.message)};
  asked.done(asked.ctx, arena.Make(raw));
}

}  // namespace berth::sdk::testing
