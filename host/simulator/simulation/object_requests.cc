// Requests for objects of the kinds that some plugin needs: GET, POST, PUT, PATCH, DELETE, also of their status.
#include "simulator/simulation/answers.h"
#include "simulator/simulation/api_server.h"
#include "simulator/simulation/patch.h"

namespace berth::simulation {
namespace {

using json::Value;

std::string KeyOf(const plugin::ApiRequest& request) {
  return request.ns.empty() ? request.name : request.ns + "/" + request.name;
}

// Keeps the fields that only the server sets, and the part of the object (spec or status) that the request does not
// change.
void KeepOwn(const plugin::ApiRequest& request, const Value& before, Value& after) {
  for (const char* own : {"name", "namespace", "uid", "creationTimestamp", "generation"}) {
    const Value* was = before.Find("metadata")->Find(own);
    if (was != nullptr) after["metadata"].Set(own, *was);
  }
  if (request.subresource == "status") {
    Value status = after.Find("status") == nullptr ? Value() : *after.Find("status");
    after = before;
    status.is_null() ? static_cast<void>(after.Erase("status"))
                     : static_cast<void>(after.Set("status", std::move(status)));
  } else if (const Value* status = before.Find("status")) {
    after.Set("status", *status);
  } else {
    after.Erase("status");
  }
}

bool IsStatusOrWhole(const plugin::ApiRequest& request) {
  return request.subresource.empty() || request.subresource == "status";
}

}  // namespace

plugin::ApiAnswer ApiServer::ServeObject(const plugin::ApiRequest& request, objects::KindId kind) {
  if (request.verb == "POST" && request.subresource.empty()) return Create(request, kind);
  const objects::ObjectRef before = cluster_.FindObject(kind, KeyOf(request));
  if (before == nullptr) return NotFound(request);
  if (request.verb == "PUT" && IsStatusOrWhole(request)) return Replace(request, kind, *before);
  if (request.verb == "PATCH" && IsStatusOrWhole(request)) return Patch(request, kind, *before);
  if (request.verb == "GET" && IsStatusOrWhole(request)) return Answer(200, before->value);
  if (request.verb == "DELETE" && request.subresource.empty()) return Delete(request, kind, *before);
  return NoSuchResource();
}

plugin::ApiAnswer ApiServer::Create(const plugin::ApiRequest& request, objects::KindId kind) {
  auto object = json::Parse(request.body);
  if (!object) return BadRequest(object.error().message);
  const std::string name = json::TextAt(*object, "metadata.name");
  if (name.empty()) return BadRequest("metadata.name: Required value");
  Value& metadata = (*object)["metadata"];
  if (!request.ns.empty()) metadata.Set("namespace", request.ns);
  const std::string key = request.ns.empty() ? name : request.ns + "/" + name;
  if (cluster_.FindObject(kind, key) != nullptr) {
    return Refusal(409, "AlreadyExists", QualifiedResource(request) + " \"" + name + "\" already exists");
  }
  metadata.Set("uid", request.resource + "-" + key);
  if (!cluster_.SetObject(kind, std::move(*object))) return BadRequest("it is no object");
  return Answer(201, cluster_.FindObject(kind, key)->value);
}

plugin::ApiAnswer ApiServer::Replace(const plugin::ApiRequest& request, objects::KindId kind,
                                     const objects::Object& before) {
  auto after = json::Parse(request.body);
  if (!after) return BadRequest(after.error().message);
  const std::string name = json::TextAt(*after, "metadata.name");
  if (name != request.name) {
    return BadRequest("the name of the object (" + name + ") does not match the name on the URL (" + request.name +
                      ")");
  }
  const std::string uid = json::TextAt(*after, "metadata.uid");
  if (!uid.empty() && uid != before.uid()) {
    return Conflict(
        QualifiedResource(request), name,
        "Precondition failed: UID in precondition: " + uid + ", UID in object meta: " + std::string(before.uid()));
  }
  return Store(request, kind, before, std::move(*after));
}

plugin::ApiAnswer ApiServer::Patch(const plugin::ApiRequest& request, objects::KindId kind,
                                   const objects::Object& before) {
  auto after = Patched(before.value, request.content_type, request.body);
  if (!after) return BadRequest(after.error().message);
  const std::string uid = json::TextAt(*after, "metadata.uid");
  if (uid != before.uid()) {
    return Refusal(422, "Invalid",
                   QualifiedResource(request) + " \"" + request.name +
                       "\" is invalid: metadata.uid: Invalid value: \"" + uid + "\": field is immutable");
  }
  return Store(request, kind, before, std::move(*after));
}

plugin::ApiAnswer ApiServer::Store(const plugin::ApiRequest& request, objects::KindId kind,
                                   const objects::Object& before, Value after) {
  const std::string version = json::TextAt(after, "metadata.resourceVersion");
  if (!version.empty() && version != before.resource_version()) {
    return Conflict(QualifiedResource(request), request.name, kModified);
  }
  KeepOwn(request, before.value, after);
  after["metadata"].Set("resourceVersion", before.resource_version());
  if (after == before.value) return Answer(200, after);  // no change, and no new version
  if (!cluster_.SetObject(kind, std::move(after))) return BadRequest("it is no object");
  const objects::ObjectRef stored = cluster_.FindObject(kind, KeyOf(request));
  if (request.group.empty()) volumes_.Changed(request.resource, *stored);
  return Answer(200, stored->value);
}

plugin::ApiAnswer ApiServer::Delete(const plugin::ApiRequest& request, objects::KindId kind,
                                    const objects::Object& before) {
  const auto options = json::Parse(request.body.empty() ? "{}" : request.body);
  if (!options) return BadRequest(options.error().message);
  const std::string broken = BrokenPrecondition(*options, before.uid(), before.resource_version());
  if (!broken.empty()) return Conflict(QualifiedResource(request), request.name, broken);
  const Value gone = before.value;
  cluster_.RemoveObject(kind, KeyOf(request));
  return Answer(200, gone);
}

}  // namespace berth::simulation
