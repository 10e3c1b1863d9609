#include "simulator/simulation/api_server.h"

#include "simulator/simulation/answers.h"

namespace berth::simulation {
void ApiServer::Send(plugin::ApiRequest request, Done done) {
  Pending pending{std::move(done), {}, {}};
  if (NodeMetrics::IsRequested(request)) {
    pending.metrics = std::move(request);
  } else {
    base::MutexLock lock(serving_);
    pending.answer = Serve(request);
  }
  base::MutexLock lock(mutex_);
  answers_.push_back(std::move(pending));
}

void ApiServer::Event(plugin::PodEvent event) {
  cluster_.Record({std::string(event.regarding.key()), std::string(event.type), std::string(event.reason),
                   std::move(event.note), std::string(event.related == nullptr ? "" : event.related->key())});
}

bool ApiServer::Reply() {
  bool any = false;
  while (true) {
    Pending next;
    {
      base::MutexLock lock(mutex_);
      if (answers_.empty()) return any;
      next = std::move(answers_.front());
      answers_.pop_front();
    }
    if (next.metrics) next.answer = cluster_.node_metrics().Answer(*next.metrics);
    next.done(std::move(next.answer));
    any = true;
  }
}

std::vector<std::string> ApiServer::TakeDeletedPods() {
  base::MutexLock lock(mutex_);
  return std::exchange(deleted_pods_, {});
}

plugin::ApiAnswer ApiServer::Serve(const plugin::ApiRequest& request) {
  if (request.group.empty() && request.version == "v1" && request.resource == "pods") return ServePod(request);
  const std::string api_version = request.group.empty() ? request.version : request.group + "/" + request.version;
  const objects::KindId kind = cluster_.KindOf(api_version, request.resource);
  return kind == 0 ? NoSuchResource() : ServeObject(request, kind);
}

// Source: k8s.io/apiserver/pkg/registry/rest/delete.go BeforeDelete.
std::string BrokenPrecondition(const json::Value& options, std::string_view uid, std::string_view resource_version) {
  const std::string wanted_uid = json::TextAt(options, "preconditions.uid");
  if (!wanted_uid.empty() && wanted_uid != uid) {
    return "the UID in the precondition (" + wanted_uid + ") does not match the UID in record (" + std::string(uid) +
           "). The object might have been deleted and then recreated";
  }
  const std::string wanted_version = json::TextAt(options, "preconditions.resourceVersion");
  if (!wanted_version.empty() && wanted_version != resource_version) {
    return "the ResourceVersion in the precondition (" + wanted_version +
           ") does not match the ResourceVersion in record (" + std::string(resource_version) +
           "). The object might have been modified";
  }
  return "";
}

}  // namespace berth::simulation
