#include "config/configuration/decode_tracing.h"

#include <algorithm>

#include "codec/fields/field_reader.h"

namespace berth::config {
namespace {

constexpr int32_t kMostPerMillion = 1'000'000;
constexpr const char* kRate = "samplingRatePerMillion";
constexpr const char* kEndpoint = "endpoint";

bool IsPort(std::string_view text) {
  const bool digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits && !text.empty() && text.size() <= 5 && std::stoi(std::string(text)) <= 65535;
}

// Why the part of a URL behind the scheme names no collector; null: it does.
const char* FaultOfAddress(std::string_view rest) {
  const std::string_view authority = rest.substr(0, rest.find('/'));
  if (rest.find_first_of("?#") != rest.npos) return "must have no query and no fragment";
  if (rest.find_first_of(" \t\r\n\"\\<>") != rest.npos) return "must be a valid URL";
  if (authority.find('@') != authority.npos) return "must have no user";
  const size_t bracket = authority.rfind(']');
  const size_t colon = authority.find(':', bracket == authority.npos ? 0 : bracket);
  if (authority.substr(0, colon).empty()) return "must have a host";
  if (colon != authority.npos && !IsPort(authority.substr(colon + 1))) return "must have a port from 0 to 65535";
  return nullptr;
}

std::string ReadEndpoint(fields::FieldReader& reader, const json::Value& value) {
  std::string endpoint = TracingRules().endpoint;
  if (!reader.String(kEndpoint, endpoint)) return endpoint;
  if (endpoint.find("//") == endpoint.npos) endpoint = "http://" + endpoint;
  const size_t scheme_end = endpoint.find("://");
  const std::string scheme = endpoint.substr(0, scheme_end);
  const auto invalid = [&](const std::string& why) {
    reader.issues().Add(reader.PathOf(kEndpoint), fields::Invalid(fields::FieldOf(value, kEndpoint), why));
  };
  if (scheme_end == endpoint.npos || (scheme != "http" && scheme != "https")) {
    invalid("unsupported scheme: " + (scheme_end == endpoint.npos ? "" : scheme) +
            ".  Options are none, http, or https, because Berth sends OTLP over HTTP");
  } else if (const char* fault = FaultOfAddress(std::string_view(endpoint).substr(scheme_end + 3))) {
    invalid(fault);
  }
  return endpoint;
}

}  // namespace

TracingRules DecodeTracing(const json::Value& value, fields::Issues& issues) {
  TracingRules rules;
  fields::FieldReader reader(value, "tracing", issues);
  rules.endpoint = ReadEndpoint(reader, value);
  if (reader.Int32(kRate, rules.sampling_rate_per_million)) {
    const int32_t rate = rules.sampling_rate_per_million;
    const auto invalid = [&](const char* why) { issues.Add(reader.PathOf(kRate), fields::Invalid(rate, why)); };
    if (rate < 0) invalid("sampling rate must be positive");
    if (rate > kMostPerMillion) invalid("sampling rate per million must be less than or equal to one million");
  }
  reader.Done();
  return rules;
}

}  // namespace berth::config
