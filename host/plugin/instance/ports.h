// What the services need from the rest of the host, as abstract ports, and the set of ports of one host.
// Thread: each function says. Ownership: the host that builds the services owns the ports.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/pod.h"
#include "base/result.h"
#include "berth/binding.h"
#include "berth/extenders.h"

namespace berth::objects {
class ObjectStore;
}

namespace berth::series {
class PluginFamilies;
}

namespace berth::plugin {

class Instance;

class BinderPort {
 public:
  virtual ~BinderPort() = default;
  // [bind] Sends the Binding and ends op (any thread) with SUCCESS or ERROR and a text.
  virtual void Bind(const berth_pod& pod, std::string_view node, berth_op* op) = 0;
};

class WaitingPort {
 public:
  virtual ~WaitingPort() = default;
  // [any] All three; no lock is held while fn runs.
  virtual void Each(const std::function<void(const berth_pod&)>& fn) = 0;
  virtual bool Allow(std::string_view uid, const Instance& plugin) = 0;
  virtual bool Reject(std::string_view uid, const Instance& plugin, std::string reason) = 0;
};

class NominationPort {
 public:
  virtual ~NominationPort() = default;
  // [serial] const berth_pod *; lives until the call into a plugin that is running returns.
  virtual berth_list NominatedTo(berth_id node) = 0;
  // [serial] berth_id; lives until the call into a plugin that is running returns.
  virtual berth_list NominatedNodes() = 0;
  virtual void ClearNomination(const berth_pod& pod) = 0;  // [serial] in the queue and in the pod's status
  // [any] A pod that waits in permit or is in PreBind fails; false: it is neither.
  virtual bool GiveUp(std::string_view uid, const Instance& plugin, std::string_view reason) = 0;
};

// The pods of the cluster, with and without a node.
class PodsPort {
 public:
  virtual ~PodsPort() = default;
  // [serial] const berth_pod *, sorted by name; lives until the call into a plugin that is running returns.
  virtual berth_list Labeled(berth_id ns, berth_id key, berth_id value) = 0;
};

// HTTP extenders, for preemption.
class ExtenderPort {
 public:
  virtual ~ExtenderPort() = default;
  virtual bool Preempts(const berth_pod& pod) const = 0;  // [serial]
  // [serial] Waits for their replies. berth_candidate; lives until the next call.
  virtual base::Result<berth_list> Preempt(const berth_pod& pod, berth_list candidates) = 0;
};

// The scheduling thread, for work outside of a call.
class TaskPort {
 public:
  virtual ~TaskPort() = default;
  // [any] Runs fn between two cycles, delay_ns (>= 0) from now at the earliest; drops it when the scheduler ends first.
  virtual void Post(int64_t delay_ns, std::function<void()> fn) = 0;
  // [serial] False: no such pod is pending.
  virtual bool Activate(std::string_view uid) = 0;
  virtual int64_t WallUnixNs() const = 0;  // [any]
};

struct ApiRequest {
  std::string verb;  // "GET" "POST" "PUT" "PATCH" "DELETE"
  std::string group, version, resource, ns, name, subresource;
  std::string content_type, body;
};
struct ApiAnswer {
  int code = 0;  // HTTP status; 0 = there was no answer
  std::string body;
  std::string reason, message;  // of a reply that is no success
};
// An Event about a pod. Borrowed for the call.
struct PodEvent {
  const api::Pod& regarding;
  const api::Pod* related;   // may be null
  std::string_view profile;  // whose plugin says so
  std::string_view type, reason, action;
  std::string note;
};
class ApiPort {
 public:
  using Done = std::function<void(ApiAnswer)>;
  virtual ~ApiPort() = default;
  // [any] Does not block. done is called once at most, on any thread, perhaps before the return.
  virtual void Send(ApiRequest request, Done done) = 0;
  virtual void Event(PodEvent event) = 0;  // [any] does not block
};

// A GET request to a server that is not the API server.
struct HttpRequest {
  std::string url, authorization;  // authorization: "" = none
  bool insecure = false;           // do not verify the server's certificate
  int64_t timeout_ns = 0;          // without traffic; > 0
};
class HttpPort {
 public:
  virtual ~HttpPort() = default;
  // [any] Does not block. done is called once at most, on any thread, perhaps before the return.
  virtual void Get(HttpRequest request, ApiPort::Done done) = 0;
};

// A fault of a plugin instance. Borrowed for the call.
struct Fault {
  const char* call;  // "Filter"
  const std::string& text;
  bool told = false;  // the plugin reported the error itself, with a text
};
// [any] Inside the call into the plugin, or after it.
class FaultObserver {
 public:
  virtual ~FaultObserver() = default;
  virtual void OnFault(const Instance& instance, const Fault& fault) = 0;
  // The instance reached the limit of its FaultPolicy: the host stops calling it.
  virtual void OnQuarantine(const Instance& instance) = 0;
};

// Replaces what a plugin sees of the host, for programs that check plugins.
class HostDecorator {
 public:
  virtual ~HostDecorator() = default;
  // [background] The berth_host that a new instance gets in place of host, which outlives it, or null for host itself.
  // The instance keeps it until its end.
  virtual std::shared_ptr<const berth_host> Decorate(const Instance& instance, const berth_host& host) = 0;
};

// The ports of one host. They outlive the instances that the host's services serve. Null: the host has no such port,
// and a service that needs it does nothing, or returns an error.
struct Ports {
  BinderPort* binder = nullptr;
  WaitingPort* waiting = nullptr;
  TaskPort* tasks = nullptr;
  ApiPort* api = nullptr;
  HttpPort* http = nullptr;
  NominationPort* nominations = nullptr;
  PodsPort* pods = nullptr;
  ExtenderPort* extenders = nullptr;
  objects::ObjectStore* objects = nullptr;
  series::PluginFamilies* metrics = nullptr;  // null: the metrics of plugins are not served
  FaultObserver* faults = nullptr;
  HostDecorator* decorator = nullptr;  // null: instances get the host's own berth_host
};

}  // namespace berth::plugin
