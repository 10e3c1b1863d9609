// Requests to the scheduler's pages: the query and the path, Accept, Authorization, the headers of an authenticating
// proxy, and the body for /debug/flags/v. An input is a request line's target, headers, an empty line, and a body.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"
#include "cluster/access/bearer_token.h"
#include "cluster/access/request_header.h"
#include "cluster/serve/accept.h"
#include "cluster/serve/debug_flags.h"
#include "cluster/serve/query.h"
#include "require.h"
#include "telemetry/log/log.h"

namespace {

namespace access = berth::access;
namespace serve = berth::serve;
using berth::http::Incoming;

std::string_view TakeLine(std::string_view& rest) {
  const size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

Incoming RequestOf(std::string_view text) {
  Incoming request;
  const std::string_view target = TakeLine(text);
  const size_t question = std::min(target.find('?'), target.size());
  request.path = target.substr(0, question);
  if (question < target.size()) request.query = target.substr(question + 1);
  for (std::string_view line = TakeLine(text); !line.empty(); line = TakeLine(text)) {
    const size_t colon = line.find(": ");
    if (colon == std::string_view::npos) continue;
    request.headers.emplace_back(berth::base::Lower(std::string(line.substr(0, colon))), line.substr(colon + 2));
  }
  request.body = text;
  return request;
}

std::string Encoded(std::string_view text) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    (out += '%') += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

void CheckQuery(const Incoming& request) {
  const auto pairs = serve::ParseQuery(request.query);
  std::string again;
  for (const auto& [key, value] : pairs) again += Encoded(key) + "=" + Encoded(value) + "&";
  Require(serve::ParseQuery(again) == pairs, "what is encoded again is the same");
  Require(serve::DecodePath(Encoded(request.path)) == request.path, "an encoded path is decoded");
  Require(serve::DecodePath(request.path).size() <= request.path.size(), "a decoded path is not longer");
}

void CheckAccept(std::string_view accept) {
  const auto clauses = serve::ParseAccept(accept);
  Require(clauses.size() <= 64, "clauses are limited");
  for (const serve::AcceptClause& clause : clauses) Require(clause.parameters.count("q") == 0, "q is no parameter");
  const std::vector<std::string> offered = {"application/json", "application/yaml", "text/plain"};
  const auto choice = serve::ChooseMedia(accept, offered, [](auto, const auto&) { return true; });
  if (!choice) return;
  Require(std::find(offered.begin(), offered.end(), choice->media_type) != offered.end(), "the choice is offered");
  const auto none = serve::ChooseMedia(accept, offered, [](auto, const auto&) { return false; });
  Require(!none || accept.empty(), "what the endpoint does not allow is not chosen");
}

void CheckCredentials(Incoming request) {
  const berth::base::Secret token = access::BearerTokenOf(request);
  const auto names = access::StandardHeaderNames();
  const auto user = access::UserOfHeaders(request.headers, names);
  if (user.user) Require(!user.user->name.empty(), "a user has a name");
  access::RemoveUserHeaders(request.headers, names);
  Require(!access::UserOfHeaders(request.headers, names).user, "nobody is named by headers that were removed");
}

bool IsVerbosity(std::string_view body) {
  if (body.empty() || !std::all_of(body.begin(), body.end(), [](unsigned char c) { return std::isdigit(c); }))
    return false;
  const size_t first = std::min(body.find_first_not_of('0'), body.size() - 1);
  const std::string_view digits = body.substr(first);
  constexpr std::string_view kMost = "2147483647";
  return digits.size() < kMost.size() || (digits.size() == kMost.size() && digits <= kMost);
}

void CheckVerbosity(Incoming request) {
  serve::Routes routes;
  serve::AddDebugFlags(routes);
  request.method = "PUT";
  request.path = "/debug/flags/v";
  const int status = routes.Serve(request).status;
  Require(status == (IsVerbosity(request.body) ? 200 : 400), "a number sets the verbosity, and nothing else does");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Incoming request = RequestOf({reinterpret_cast<const char*>(data), size});
  CheckQuery(request);
  CheckAccept(request.Header("accept"));
  CheckCredentials(request);
  CheckVerbosity(request);
  berth::log::SetVerbosity(0);
  return 0;
}
