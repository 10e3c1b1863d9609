#include "cluster/access/request_header.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "codec/text/percent.h"

namespace berth::access {
namespace {

using Texts = std::vector<std::string>;

std::string FirstValue(const http::Headers& headers, const Texts& names) {
  for (const std::string& name : names) {
    const std::string lower = base::Lower(name);
    const auto found =
        std::find_if(headers.begin(), headers.end(), [&](const auto& header) { return header.first == lower; });
    if (found != headers.end() && !found->second.empty()) return found->second;
  }
  return {};
}

Texts AllValues(const http::Headers& headers, const Texts& names) {
  Texts values;
  for (const std::string& name : names) {
    const std::string lower = base::Lower(name);
    for (const auto& [header, value] : headers) {
      if (header == lower && !value.empty()) values.push_back(value);
    }
  }
  return values;
}

Extra ExtraOf(const http::Headers& headers, const Texts& prefixes) {
  Extra extra;
  for (const std::string& prefix : prefixes) {
    const std::string lower = base::Lower(prefix);
    for (const auto& [header, value] : headers) {
      if (!header.starts_with(lower)) continue;
      const std::string key = header.substr(lower.size());
      extra[text::PercentDecoded(key).value_or(key)].push_back(value);
    }
  }
  return extra;
}

bool IsOneOf(const std::string& header, const Texts& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return base::Lower(name) == header; });
}

bool StartsWithOneOf(const std::string& header, const Texts& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const std::string& prefix) { return header.starts_with(base::Lower(prefix)); });
}

}  // namespace

RequestHeaderNames StandardHeaderNames() {
  return {{"x-remote-user"}, {"x-remote-uid"}, {"x-remote-group"}, {"x-remote-extra-"}, {}};
}

AuthenticationResult UserOfHeaders(const http::Headers& headers, const RequestHeaderNames& names) {
  std::string name = FirstValue(headers, names.usernames);
  if (name.empty()) return {};
  return AuthenticationResult::Of({std::move(name), FirstValue(headers, names.uids), AllValues(headers, names.groups),
                                   ExtraOf(headers, names.extra_prefixes)});
}

void RemoveUserHeaders(http::Headers& headers, const RequestHeaderNames& names) {
  std::erase_if(headers, [&](const auto& header) {
    return IsOneOf(header.first, names.usernames) || IsOneOf(header.first, names.uids) ||
           IsOneOf(header.first, names.groups) || StartsWithOneOf(header.first, names.extra_prefixes);
  });
}

}  // namespace berth::access
