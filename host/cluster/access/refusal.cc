#include "cluster/access/refusal.h"

#include <string_view>
#include <utility>

#include "base/text.h"
#include "codec/json/value.h"
#include "codec/text/percent.h"

namespace berth::access {
namespace {

constexpr const char* kPlainText = "text/plain; charset=utf-8";

std::string Sanitized(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

// The value of the query parameter "pretty"; "" = none.
std::string PrettyParameter(std::string_view query) {
  constexpr std::string_view kPretty = "pretty=";
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    if (pair.starts_with(kPretty)) return text::PercentDecodedLeniently(pair.substr(kPretty.size()));
  }
  return {};
}

// strconv.ParseBool
bool IsTrueWord(std::string_view word) {
  return word == "1" || word == "t" || word == "T" || word == "true" || word == "TRUE" || word == "True";
}

bool WantsIndentation(const http::Incoming& request) {
  const std::string pretty = PrettyParameter(request.query);
  if (!pretty.empty()) return IsTrueWord(pretty);
  const std::string_view agent = request.Header("user-agent");
  return agent.starts_with("curl") || agent.starts_with("Wget") || agent.starts_with("Mozilla/5.0");
}

http::Answer StatusAnswer(const http::Incoming& request, const json::Value& status, int code) {
  const bool indented = WantsIndentation(request);
  // Both of Go's encoders write a line break behind the object only when they do not indent.
  return {code, "application/json", indented ? json::Dump(status, 2) : json::Dump(status) + "\n", {}};
}

json::Value FailureStatus(const char* reason, const std::string& message) {
  return json::Value::MakeObject({{"kind", "Status"},
                                  {"apiVersion", "v1"},
                                  {"metadata", json::Value::MakeObject()},
                                  {"status", "Failure"},
                                  {"message", message},
                                  {"reason", reason}});
}

}  // namespace

http::Answer Unauthorized(const http::Incoming& request) {
  json::Value status = FailureStatus("Unauthorized", "Unauthorized");
  status.Set("code", 401);
  return StatusAnswer(request, status, 401);
}

http::Answer Forbidden(const http::Incoming& request, const Attributes& attributes, const std::string& reason) {
  std::string message = "forbidden: " + Sanitized("User " + base::Quoted(attributes.user.name) + " cannot " +
                                                  attributes.verb + " path " + base::Quoted(attributes.path));
  if (!reason.empty()) message += ": " + reason;
  json::Value status = FailureStatus("Forbidden", message);
  status.Set("details", json::Value::MakeObject());
  status.Set("code", 403);
  http::Answer answer = StatusAnswer(request, status, 403);
  answer.headers.emplace_back("X-Content-Type-Options", "nosniff");
  return answer;
}

http::Answer InternalError(const http::Incoming& request, const std::string& error) {
  const std::string uri = request.query.empty() ? request.path : request.path + "?" + request.query;
  return {500,
          kPlainText,
          Sanitized("Internal Server Error: " + base::Quoted(uri) + ": " + error) + "\n",
          {{"X-Content-Type-Options", "nosniff"}}};
}

http::Answer BadPath() { return {400, kPlainText, "400 Bad Request", {}}; }

}  // namespace berth::access
