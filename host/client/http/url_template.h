// The path of a request to the API server with the names of objects left out, for the names of spans. Source:
// https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/ (url.template). Thread: any; pure.
#pragma once

#include <string>
#include <string_view>

namespace berth::http {

// "/api/v1/namespaces/{namespace}/pods/{name}/binding" of "/api/v1/namespaces/default/pods/web-1/binding". A path of no
// resource, such as "/readyz", is its own template. Queries are left out.
std::string UrlTemplate(std::string_view path);

}  // namespace berth::http
