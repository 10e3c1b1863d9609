#include "config/options/validate_options.h"

#include <strings.h>

#include <algorithm>
#include <cctype>

#include "base/quantity.h"
#include "base/text.h"
#include "codec/text/duration.h"
#include "config/options/metric_flags.h"

namespace berth::options {
namespace {

using Texts = std::vector<std::string>;

// Four flags need the gate LoggingAlphaOptions.
void CheckAlpha(const std::string& path, bool split, const std::string& buffer, Texts& errors) {
  const auto size = base::Quantity::Parse(buffer);
  const std::string forbidden = ": Forbidden: Feature LoggingAlphaOptions is disabled";
  if (split) errors.push_back("options." + path + ".splitStream" + forbidden);
  if (size && size->Value() != 0) errors.push_back("options." + path + ".infoBufferSize" + forbidden);
}

void CheckPort(int64_t port, Texts& errors) {
  if (port >= 0 && port <= 65535) return;
  // As in SecureServingOptions.Validate (k8s.io/apiserver pkg/server/options/serving.go), whose condition is `required
  // && port < 1 || port > 65535`.
  const std::string flag = "--secure-port " + std::to_string(port) + " must be between ";
  errors.push_back(flag + (port > 65535 ? "1 and 65535, inclusive. It cannot be turned off with 0"
                                        : "0 and 65535, inclusive. 0 for turning off secure port"));
}

bool IsBlank(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c) != 0; });
}

void CheckNoBlank(const std::string& flag, const std::vector<std::string>& values, Texts& errors) {
  if (std::any_of(values.begin(), values.end(), IsBlank)) errors.push_back("empty value in " + base::Quoted(flag));
}

void CheckUidHeaders(const std::vector<std::string>& headers, const config::FeatureGates& gates, Texts& errors) {
  const std::string flag = "requestheader-uid-headers";
  if (headers.empty()) return;
  if (!gates.Enabled("RemoteRequestHeaderUID")) {
    errors.push_back("--" + flag + " requires the \"RemoteRequestHeaderUID\" feature to be enabled");
    return;
  }
  CheckNoBlank(flag, headers, errors);
  const bool standard = std::any_of(headers.begin(), headers.end(), [](const std::string& header) {
    return strcasecmp(header.c_str(), "X-Remote-Uid") == 0;
  });
  if (standard) return;
  errors.push_back("--" + flag +
                   " is set without specifying the standard X-Remote-Uid header - API aggregation will not work");
}

}  // namespace

std::vector<std::string> LoggingErrors(const Logging& l, const config::FeatureGates& gates) {
  Texts errors;
  if (l.flush_frequency.count() <= 0) {
    errors.push_back("flushFrequency: Invalid value: " + base::Quoted(text::FormatDuration(l.flush_frequency)) +
                     ": Must be greater than zero");
  }
  if (l.format != "text" && l.format != "json") {
    errors.push_back("format: Invalid value: " + base::Quoted(l.format) + ": Unsupported log format");
  }
  if (!l.vmodule.empty() && !l.format.empty() && l.format != "text") {
    errors.emplace_back("vmodule: Forbidden: Only supported for text log format");
  }
  if (gates.Enabled("LoggingAlphaOptions")) return errors;
  CheckAlpha("text", l.text_split_stream, l.text_info_buffer_size, errors);
  CheckAlpha("json", l.json_split_stream, l.json_info_buffer_size, errors);
  return errors;
}

std::vector<std::string> Errors(const SchedulerOptions& options, const config::FeatureGates& gates) {
  return ServingErrors(options.serving, options.authentication, options.metrics, gates);
}

std::vector<std::string> ServingErrors(const Serving& serving, const Authentication& a, const Metrics& metrics,
                                       const config::FeatureGates& gates) {
  Texts errors;
  CheckPort(serving.secure_port, errors);
  CheckNoBlank("requestheader-username-headers", a.username_headers, errors);
  CheckNoBlank("requestheader-group-headers", a.group_headers, errors);
  CheckNoBlank("requestheader-extra-headers-prefix", a.extra_headers_prefix, errors);
  CheckNoBlank("requestheader-allowed-names", a.allowed_names, errors);
  CheckUidHeaders(a.uid_headers, gates, errors);
  for (std::string& error : MetricErrors(metrics)) errors.push_back(std::move(error));
  return errors;
}

std::string Aggregate(const std::vector<std::string>& errors) {
  std::vector<std::string> different;
  for (const std::string& error : errors) {
    if (std::find(different.begin(), different.end(), error) == different.end()) different.push_back(error);
  }
  return different.size() == 1 ? different.front() : "[" + base::Join(different, ", ") + "]";
}

}  // namespace berth::options
