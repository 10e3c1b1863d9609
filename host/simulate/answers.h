// Replies as an API server words them. Thread: any.
#pragma once

#include <string>

#include "json/value.h"
#include "plugin/ports.h"

namespace berth::simulate {

// Which resource an error is about, as messages spell it: "pods", "storageclasses.storage.k8s.io".
std::string QualifiedResource(const plugin::ApiRequest& request);

// Why a request that names an old resourceVersion is refused.
inline constexpr const char* kModified =
    "the object has been modified; please apply your changes to the latest version and try again";

plugin::ApiAnswer Answer(int code, const json::Value& object);
// A v1.Status. reason: "NotFound", "Conflict", ...
plugin::ApiAnswer Refusal(int code, const std::string& reason, const std::string& message);
plugin::ApiAnswer NotFound(const plugin::ApiRequest& request);  // the object
plugin::ApiAnswer NoSuchResource();                             // the kind, or what was to be done with it
plugin::ApiAnswer Conflict(const std::string& resource, const std::string& name, const std::string& why);
plugin::ApiAnswer BadRequest(const std::string& why);

}  // namespace berth::simulate
