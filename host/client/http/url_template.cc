#include "client/http/url_template.h"

namespace berth::http {
namespace {

// Takes "/pods" from the front of "/pods/web-1"; "" at the end.
std::string_view TakePart(std::string_view& path) {
  const size_t end = path.find('/', 1);
  const std::string_view part = path.substr(0, end);
  path.remove_prefix(part.size());
  return part;
}

// What follows the group and version: [namespaces/NAMESPACE/]RESOURCE[/NAME[/SUBRESOURCE...]].
std::string ResourceTemplate(std::string_view rest) {
  std::string text;
  std::string_view resource = TakePart(rest);
  if (resource == "/namespaces") {
    text += resource;
    if (TakePart(rest).empty()) return text;
    resource = TakePart(rest);
    if (resource.empty()) return text + "/{name}";
    text += "/{namespace}";
  }
  text += resource;
  if (!TakePart(rest).empty()) text += "/{name}";
  return text.append(rest);
}

}  // namespace

std::string UrlTemplate(std::string_view path) {
  path = path.substr(0, path.find('?'));
  std::string_view rest = path;
  const std::string_view root = TakePart(rest);
  if (root == "/apis") TakePart(rest);
  if (root == "/apis" || root == "/api") {
    TakePart(rest);  // the version
    return std::string(path.substr(0, path.size() - rest.size())) + ResourceTemplate(rest);
  }
  return std::string(path);
}

}  // namespace berth::http
