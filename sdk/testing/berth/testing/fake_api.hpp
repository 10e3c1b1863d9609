// An API server that only records requests; the test answers them. It also stands for all other
// servers, to which the service berth.host.http/1 sends requests.
//   plugin.host().api().AnswersBy([](const FakeRequest& r) { return FakeReply::NotFound("pods \"p1\" not found"); });
//   ... or, one by one: plugin.host().api().Answer(0, {200});
// Thread: requests and Events come from any; the rest is the test's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <string>
#include <vector>

#include "berth/api.h"
#include "berth/http.h"
#include "berth/testing/checker.hpp"
#include "berth/testing/fake_pod.hpp"

namespace berth::sdk::testing {

struct FakeRequest {
  std::string verb, group, version, resource, ns, name, subresource, content_type, body;
  // For a request to another server; url is empty if the request is to the API server.
  std::string url = {}, authorization = {};
  bool insecure = false;
  int64_t timeout_ns = 0;

  // "PATCH pods/default/p1/status", with the group before the resource where there is one ("storage.k8s.io/..."), or
  // "GET http://example.org/".
  std::string Line() const;
  friend std::ostream& operator<<(std::ostream& out, const FakeRequest& r);
};

struct FakeReply {
  int32_t code = 200;
  std::string body = "{}";
  std::string reason, message;

  static FakeReply NotFound(std::string message);
  static FakeReply Conflict(std::string message);
  static FakeReply Failed(std::string message);
  static FakeReply Lost(const std::string& error);  // no answer came
};

class FakeApi {
 public:
  explicit FakeApi(Checker& checker);
  FakeApi(const FakeApi&) = delete;
  ~FakeApi();

  // Answers each later request when Deliver is called; PreBind and Bind call Deliver while they wait.
  FakeApi& AnswersBy(std::function<FakeReply(const FakeRequest&)> answer);

  // ---- what the plugin asked for
  std::vector<FakeRequest> requests() const;  // all, in order
  Texts Lines() const;
  size_t unanswered() const;
  // "Normal Preempted Preempting default/victim default/preemptor: NOTE", in order; "-": no related pod.
  Texts events() const;
  size_t kept_pods() const;  // the number of keep_pod calls without a drop_pod call

  // ---- answering
  // The i-th request, counted from 0; throws std::logic_error if it has an answer already or does not exist.
  void Answer(size_t i, const FakeReply& reply = {});
  // Answers open requests with AnswersBy, and the requests that follow from the answers. Without AnswersBy it does
  // nothing.
  void Deliver();

  // As the host ends an instance: open requests get code 0, and kept pods are dropped. PluginUnderTest calls it.
  void End();
  void DropAll();

  // The tables of the services in a FakeHost.
  static berth_api Table();
  static berth_http HttpTable();

 private:
  using Done = void (*)(void* ctx, const berth_api_reply* reply);
  struct Asked {
    FakeRequest request;
    Done done;  // null: answered
    void* ctx;
  };
  static constexpr const char* kEnded = "the plugin's instance has ended";

  static FakeApi& Of(const berth_host* host);
  static void Send(const berth_host* host, const berth_api_request* raw, Done done, void* ctx);
  static void Get(const berth_host* host, const berth_http_request* raw, Done done, void* ctx);
  void Ask(Asked asked);
  static void Event(const berth_host* host, const berth_pod* regarding, const berth_pod* related, berth_str type,
                    berth_str reason, berth_str action, berth_str note);
  static void KeepPod(const berth_host* host, const berth_pod* pod);
  static void DropPod(const berth_host* host, const berth_pod* pod);
  static std::string Key(const berth_pod* pod);

  size_t asked() const;
  Asked Take(size_t i);
  static void Reply(const Asked& asked, const FakeReply& reply);

  Checker& checker_;
  std::function<FakeReply(const FakeRequest&)> answer_;
  mutable std::mutex mutex_;  // guards the following members
  std::deque<Asked> asked_;
  Texts events_;
  std::multimap<const berth_pod*, std::shared_ptr<const PodObject>> kept_;
  bool ended_ = false;
};

}  // namespace berth::sdk::testing
