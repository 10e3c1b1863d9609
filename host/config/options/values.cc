#include "config/options/values.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/quantity.h"
#include "base/secret.h"
#include "base/text.h"
#include "codec/text/duration.h"
#include "codec/text/number.h"
#include "codec/text/trim.h"
#include "telemetry/log/vmodule.h"

namespace berth::options {
namespace {

using base::Fail;
using base::Result;

std::string Trimmed(const std::string& text) { return std::string(text::Trim(text, " \t")); }

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0;;) {
    const size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

// The address as inet_ntop writes it; "" for an invalid address.
std::string IpText(const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  std::array<char, INET6_ADDRSTRLEN> shown{};
  for (const int family : {AF_INET, AF_INET6}) {
    if (inet_pton(family, text.c_str(), bytes.data()) == 1) {
      return inet_ntop(family, bytes.data(), shown.data(), shown.size());
    }
  }
  return {};
}

Result<std::string> CertKeyText(const std::string& text) {
  const size_t colon = text.find(':');
  std::vector<std::string> files = Split(Trimmed(text.substr(0, colon)), ',');
  std::string names;
  if (colon != std::string::npos) {
    names = Trimmed(text.substr(colon + 1));
    if (names.empty()) return Fail("empty names list is not allowed");
    std::vector<std::string> parts = Split(names, ',');
    std::transform(parts.begin(), parts.end(), parts.begin(), Trimmed);
    names = ":" + base::Join(parts, ",");
  }
  if (files.size() != 2) return Fail("expected comma separated certificate and key file paths");
  return Trimmed(files[0]) + "," + Trimmed(files[1]) + names;
}

// The texts of all occurrences, joined.
void Append(std::string& at, const std::string& text) { at += (at.empty() || text.empty() ? "" : ",") + text; }

// The text that --feature-gates shows: pairs without a component have an empty one.
std::string GatesText(const std::string& gates) {
  std::vector<std::string> shown;
  for (const std::string& pair : Split(gates, ',')) {
    if (!pair.empty()) shown.push_back(pair.find(':') == std::string::npos ? ":" + pair : pair);
  }
  return base::Join(shown, ",");
}

flags::Value Plain(std::string type, std::string& at, std::function<Result<void>(const std::string&)> set) {
  return {std::move(type), std::move(set), [&at] { return at; }};
}

}  // namespace

flags::Value Url(std::string& at) {
  flags::Value value = flags::Text(at);
  value.text = [&at] { return base::ShownUrl(at); };
  return value;
}

flags::Value Duration(std::chrono::nanoseconds& at) {
  const auto set = [&at](const std::string& text) -> Result<void> {
    const auto duration = text::ParseDuration(text);
    if (!duration) return tl::unexpected(duration.error());
    at = *duration;
    return {};
  };
  return {"duration", set, [&at] { return text::FormatDuration(at); }};
}

flags::Value Ip(std::string& at) {
  return Plain("ip", at, [&at](const std::string& text) -> Result<void> {
    if (text.empty()) return {};
    const std::string ip = IpText(Trimmed(text));
    if (ip.empty()) return Fail("failed to parse IP: " + base::Quoted(text));
    at = ip;
    return {};
  });
}

flags::Value Quantity(std::string& at) {
  return Plain("quantity", at, [&at](const std::string& text) -> Result<void> {
    const auto quantity = base::Quantity::Parse(text);
    if (!quantity) return tl::unexpected(quantity.error());
    at = text;
    return {};
  });
}

flags::Value VModule(std::string& at) {
  return Plain("pattern=N,...", at, [&at](const std::string& text) -> Result<void> {
    const auto module = log::VModule::Parse(text);
    if (!module) return tl::unexpected(module.error());
    Append(at, text);
    return {};
  });
}

flags::Value FeatureGates(std::string& at) {
  const auto set = [&at](const std::string& text) -> Result<void> {
    Append(at, text);
    return {};
  };
  return {"Name=true|false,...", set, [&at] { return GatesText(at); }};
}

flags::Value CertKeys(std::vector<std::string>& at) {
  const auto set = [&at](const std::string& text) -> Result<void> {
    auto pair = CertKeyText(text);
    if (!pair) return tl::unexpected(pair.error());
    at.push_back(std::move(*pair));
    return {};
  };
  return {"namedCertKey", set, [&at] { return "[" + base::Join(at, ";") + "]"; }};
}

flags::Value Address(std::string& at) {
  return Plain("host:port", at, [&at](const std::string& text) -> Result<void> {
    const size_t colon = text.rfind(':');
    const auto port = text::ParseInt(colon == std::string::npos ? "" : text.substr(colon + 1), 32);
    if (!text.empty() && (!port || *port < 0 || *port > 65535)) {
      return Fail("it must be host:port with a port of 0 to 65535, or empty");
    }
    at = text;
    return {};
  });
}

flags::Value Version(std::string& at, const std::string& own) {
  flags::Value value = Plain("version", at, [&at, own](const std::string& text) -> Result<void> {
    if (text == "raw" || text == own || text.starts_with(own + "-") || text.starts_with(own + "+")) {
      at = text;
      return {};
    }
    if (text.starts_with('v')) {
      return Fail("version " + base::Quoted(text) + " must match major/minor/patch of default version " +
                  base::Quoted(own));
    }
    const auto on = text::ParseBool(text);
    if (!on) return tl::unexpected(on.error());
    at = *on ? "true" : "false";
    return {};
  });
  value.takes = flags::Takes::kNothing;
  return value;
}

}  // namespace berth::options
