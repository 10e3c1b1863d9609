#include "cluster/serve/zpage.h"

#include "base/text.h"
#include "cluster/serve/accept.h"
#include "cluster/serve/query.h"
#include "codec/text/number.h"
#include "codec/yaml/yaml_writer.h"

namespace berth::serve {
namespace {

constexpr const char* kZpageGroup = "config.k8s.io";
constexpr const char *kJsonType = "application/json", *kYamlType = "application/yaml", *kTextType = "text/plain";

const std::vector<std::string>& Offered() {
  static const std::vector<std::string> offered{kJsonType, kYamlType, kTextType};
  return offered;
}

// AllowsMediaTypeTransform of flagz/negotiate: text without a kind, all else with a kind of the page.
bool AllowsZpage(std::string_view page_kind, std::string_view media_type, const std::optional<WantedKind>& kind) {
  if (media_type == kTextType) return !kind;
  return kind && kind->group == kZpageGroup && kind->kind == page_kind &&
         (kind->version == "v1alpha1" || kind->version == "v1beta1");
}

// emptyEndpointRestrictions, for errors.
bool AllowsError(std::string_view, const std::optional<WantedKind>& kind) { return !kind; }

// isPrettyPrint in negotiate.go: the query decides, or else whether a person probably reads it.
bool IsPretty(const http::Incoming& request) {
  for (const auto& [key, value] : ParseQuery(request.query)) {
    if (key == "pretty" && !value.empty()) return text::ParseBool(value).value_or(false);
    if (key == "pretty") break;
  }
  const std::string_view agent = request.Header("user-agent");
  return agent.starts_with("curl") || agent.starts_with("Wget") || agent.starts_with("Mozilla/5.0");
}

// As Go's encoding/json, which escapes characters with a meaning in HTML.
std::string GoJson(const json::Value& value, bool pretty) {
  std::string out;
  for (const char c : json::Dump(value, pretty ? 2 : -1)) {
    switch (c) {
      case '<': out += "\\u003c"; break;
      case '>': out += "\\u003e"; break;
      case '&': out += "\\u0026"; break;
      default: out += c;
    }
  }
  return pretty ? out : out + "\n";
}

std::string Encoded(const json::Value& value, std::string_view media_type, bool pretty) {
  return media_type == kYamlType ? yaml::WriteYaml(value) : GoJson(value, pretty);
}

// ErrorNegotiated in responsewriters/writers.go.
http::Answer NotAcceptable(const http::Incoming& request) {
  const std::string why = "only the following media types are accepted: " + base::Join(Offered(), ", ");
  const json::Value status = json::Value::MakeObject({{"kind", "Status"},
                                                      {"apiVersion", "v1"},
                                                      {"metadata", json::Value::MakeObject()},
                                                      {"status", "Failure"},
                                                      {"message", why},
                                                      {"reason", "NotAcceptable"},
                                                      {"code", 406}});
  const auto choice = ChooseMedia(request.Header("accept"), Offered(), &AllowsError);
  if (!choice || choice->media_type == kTextType) return {406, kJsonType, GoJson(status, true)};
  return {406, choice->media_type, Encoded(status, choice->media_type, choice->pretty || IsPretty(request))};
}

bool IsBlank(std::string_view text) { return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos; }

}  // namespace

http::Answer Zpage::Get(const http::Incoming& request) const {
  const std::string_view accept = request.Header("accept");
  if (IsBlank(accept)) return Text();
  const auto choice = ChooseMedia(accept, Offered(), [this](std::string_view media_type, const auto& kind) {
    return AllowsZpage(kind_, media_type, kind);
  });
  if (!choice) return NotAcceptable(request);
  if (choice->media_type == kTextType) return Text();
  return Structured(choice->media_type, choice->kind->version, choice->pretty || IsPretty(request));
}

http::Answer Zpage::Text() const {
  return {.body = std::string("\n") + kComponent + " " + name_ +
                  "\nWarning: This endpoint is not meant to be machine parseable, has no formatting compatibility "
                  "guarantees and is for debugging purposes only.\n" +
                  text_()};
}

http::Answer Zpage::Structured(const std::string& media_type, const std::string& version, bool pretty) const {
  json::Object object{{"kind", kind_},
                      {"apiVersion", std::string(kZpageGroup) + "/" + version},
                      {"metadata", json::Value::MakeObject({{"name", kComponent}})}};
  for (json::Member& field : fields_()) object.push_back(std::move(field));
  http::Answer answer{200, media_type + ";g=" + kZpageGroup + ";v=" + version + ";as=" + kind_,
                      Encoded(json::Value(std::move(object)), media_type, pretty)};
  if (version == "v1alpha1") {
    answer.headers.emplace_back(
        "Warning", "299 - \"This version of the " + name_ + " endpoint is deprecated. Please use a newer version.\"");
  }
  return answer;
}

}  // namespace berth::serve
