#include "cluster/election/requests.h"

#include <utility>

#include "codec/text/percent.h"

namespace berth::election {

http::Request WriteRequest(const char* method, std::string path, const json::Value& object) {
  http::Request request;
  request.method = method;
  request.path = std::move(path);
  request.content_type = "application/json";
  request.body = json::Dump(object);
  return request;
}

http::Request WatchRequest(std::string list_path, const std::string& name, int64_t timeout_seconds) {
  http::Request request;
  request.path = std::move(list_path) +
                 "?watch=true&allowWatchBookmarks=true&timeoutSeconds=" + std::to_string(timeout_seconds) +
                 "&fieldSelector=metadata.name%3D";
  text::AppendPercentEncoded(request.path, name);
  return request;
}

}  // namespace berth::election
