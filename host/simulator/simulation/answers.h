// Answers with the API server's texts. Thread: any.
#pragma once

#include <string>

#include "codec/json/value.h"
#include "plugin/instance/ports.h"

namespace berth::simulation {

// The resource in an error message: "pods", "storageclasses.storage.k8s.io".
std::string QualifiedResource(const plugin::ApiRequest& request);

// The error for a request with an old resourceVersion.
inline constexpr const char* kModified =
    "the object has been modified; please apply your changes to the latest version and try again";

plugin::ApiAnswer Answer(int code, const json::Value& object);
// A v1.Status. reason: "NotFound", "Conflict", ...
plugin::ApiAnswer Refusal(int code, const std::string& reason, const std::string& message);
plugin::ApiAnswer NotFound(const plugin::ApiRequest& request);  // the object
plugin::ApiAnswer NoSuchResource();                             // the kind or the operation is unknown
plugin::ApiAnswer Conflict(const std::string& resource, const std::string& name, const std::string& why);
plugin::ApiAnswer BadRequest(const std::string& why);

}  // namespace berth::simulation
