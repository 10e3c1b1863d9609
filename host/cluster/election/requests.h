// The requests for objects of coordination.k8s.io. Thread: any; pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "client/http/transport.h"
#include "codec/json/value.h"

namespace berth::election {

inline constexpr size_t kLongestObject = size_t{4} << 20;  // etcd holds objects of up to 1.5 MiB

// method: "POST" or "PUT".
http::Request WriteRequest(const char* method, std::string path, const json::Value& object);
// A watch of the object of that name in the collection at list_path, which begins with the object as it is. The server
// ends it after timeout_seconds.
http::Request WatchRequest(std::string list_path, const std::string& name, int64_t timeout_seconds);

}  // namespace berth::election
