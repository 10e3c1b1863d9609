#include <utility>  // missing in Boost.Asio 1.74
//
#include "client/http/request_fields.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"

namespace berth::http {
namespace {

std::string Text(boost::beast::string_view text) { return {text.data(), text.size()}; }

}  // namespace

Incoming IncomingOf(boost::beast::http::request<boost::beast::http::string_body>& request) {
  Incoming incoming;
  incoming.method = Text(request.method_string());
  const std::string_view target(request.target().data(), request.target().size());
  const size_t question = target.find('?');
  incoming.path = std::string(target.substr(0, question));
  if (question != std::string_view::npos) incoming.query = std::string(target.substr(question + 1));
  for (const auto& one : request)
    incoming.headers.emplace_back(base::Lower(Text(one.name_string())), Text(one.value()));
  incoming.body = std::move(request.body());
  return incoming;
}

std::string HeaderValue(std::string value) {
  std::replace_if(
      value.begin(), value.end(), [](char c) { return c == '\r' || c == '\n' || c == '\0'; }, ' ');
  return value;
}

}  // namespace berth::http
