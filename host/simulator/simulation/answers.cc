#include "simulator/simulation/answers.h"

namespace berth::simulation {

std::string QualifiedResource(const plugin::ApiRequest& request) {
  return request.group.empty() ? request.resource : request.resource + "." + request.group;
}

plugin::ApiAnswer Answer(int code, const json::Value& object) { return {code, json::Dump(object), "", ""}; }

plugin::ApiAnswer Refusal(int code, const std::string& reason, const std::string& message) {
  const json::Value status = json::Value::MakeObject({{"kind", "Status"},
                                                      {"apiVersion", "v1"},
                                                      {"metadata", json::Value::MakeObject()},
                                                      {"status", "Failure"},
                                                      {"message", message},
                                                      {"reason", reason},
                                                      {"code", code}});
  return {code, json::Dump(status), reason, message};
}

plugin::ApiAnswer NotFound(const plugin::ApiRequest& request) {
  return Refusal(404, "NotFound", QualifiedResource(request) + " \"" + request.name + "\" not found");
}

plugin::ApiAnswer NoSuchResource() {
  return Refusal(404, "NotFound", "the server could not find the requested resource");
}

plugin::ApiAnswer Conflict(const std::string& resource, const std::string& name, const std::string& why) {
  return Refusal(409, "Conflict", "Operation cannot be fulfilled on " + resource + " \"" + name + "\": " + why);
}

plugin::ApiAnswer BadRequest(const std::string& why) { return Refusal(400, "BadRequest", why); }

}  // namespace berth::simulation
