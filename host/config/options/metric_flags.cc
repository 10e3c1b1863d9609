#include "config/options/metric_flags.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/read_all.h"
#include "base/result.h"
#include "base/text.h"
#include "codec/json/value.h"
#include "codec/yaml/yaml_documents.h"

namespace berth::options {
namespace {

using Texts = std::vector<std::string>;
using AllowList = std::map<std::string, std::string>;

constexpr const char* kShownVersion = "1.35";
constexpr std::string_view kNameExpression = "[a-zA-Z_:][a-zA-Z0-9_:]*";
constexpr std::string_view kLabelExpression = "[a-zA-Z_][a-zA-Z0-9_]*";

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}

// Whether the text matches kNameExpression or, without colons, kLabelExpression.
bool IsName(std::string_view text, bool colons) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  for (const char c : text) {
    if (!IsWordCharacter(c) && !(colons && c == ':')) return false;
  }
  return true;
}

bool IsKey(std::string_view key) {
  const size_t comma = key.find(',');
  return comma != std::string_view::npos && IsName(key.substr(0, comma), true) && IsName(key.substr(comma + 1), false);
}

std::string Invalid(const std::string& field, const std::string& value, const std::string& detail) {
  return "metrics" + field + ": Invalid value: " + value + ": " + detail;
}

json::Value JsonOf(const AllowList& list) {
  json::Value object = json::Value::MakeObject();
  for (const auto& [key, values] : list) object.mutable_object().emplace_back(key, values);
  return object;
}

json::Value JsonOf(const Texts& texts) {
  json::Value array{json::Array{}};
  for (const std::string& text : texts) array.mutable_array().emplace_back(text);
  return array;
}

// "": the keys are valid. prefix: of the field.
std::string AllowListError(const std::string& field, const AllowList& list) {
  for (const auto& [key, values] : list) {
    if (IsKey(key)) continue;
    return Invalid(field, json::Dump(JsonOf(list)),
                   "must have keys with format `metricName,labelName` where metricName matches " +
                       base::Quoted(std::string(kNameExpression)) + " and labelName matches " +
                       base::Quoted(std::string(kLabelExpression)));
  }
  return "";
}

base::Result<AllowList> ReadManifest(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return base::Fail("failed to read allow list manifest: open " + path + ": " + base::Lower(std::strerror(errno)));
  }
  const std::string text = base::ReadAll(file);
  const std::string failed = "failed to parse allow list manifest: ";
  const auto documents = yaml::ReadYaml(text, path);
  if (!documents) return base::Fail(failed + documents.error().message);
  AllowList list;
  if (documents->empty() || documents->front().is_null()) return list;
  if (!documents->front().is_object()) return base::Fail(failed + path + " is not a map of texts");
  for (const auto& [key, value] : documents->front().object()) {
    if (!value.is_string()) return base::Fail(failed + path + ": the value of " + base::Quoted(key) + " is not a text");
    list[key] = value.string();
  }
  return list;
}

void CheckShownVersion(const Metrics& metrics, Texts& errors) {
  const std::string& version = metrics.show_hidden_metrics_for_version;
  if (version.empty() || version == kShownVersion) return;
  errors.push_back(Invalid(".showHiddenMetricsForVersion", base::Quoted(version),
                           "must be omitted or have the value '" + std::string(kShownVersion) +
                               "'; only the previous minor version is allowed"));
}

void CheckDisabled(const Metrics& metrics, Texts& errors) {
  for (const std::string& name : metrics.disabled_metrics) {
    if (IsName(name, true)) continue;
    errors.push_back(Invalid(".disabledMetrics", json::Dump(JsonOf(metrics.disabled_metrics)),
                             "must be fully qualified metric names matching " +
                                 base::Quoted("^" + std::string(kNameExpression) + "$") + ", got " +
                                 base::Quoted(name)));
    return;
  }
}

void CheckManifest(const Metrics& metrics, Texts& errors) {
  const std::string& path = metrics.allow_metric_labels_manifest;
  constexpr const char* kField = ".allowListMappingManifest";
  if (path.empty()) return;
  const auto list = ReadManifest(path);
  if (!list) {
    errors.push_back(Invalid(kField, base::Quoted(path), list.error().message));
    return;
  }
  const std::string wrong = AllowListError(kField, *list);
  if (wrong.empty()) return;
  errors.push_back(Invalid(kField, base::Quoted(path), "invalid allow list mapping in manifest: [" + wrong + "]"));
}

// The whole configuration as upstream's error shows it.
json::Value JsonOf(const Metrics& metrics) {
  json::Value all = json::Value::MakeObject();
  json::Object& members = all.mutable_object();
  if (!metrics.show_hidden_metrics_for_version.empty()) {
    members.emplace_back("showHiddenMetricsForVersion", metrics.show_hidden_metrics_for_version);
  }
  if (!metrics.disabled_metrics.empty()) members.emplace_back("disabledMetrics", JsonOf(metrics.disabled_metrics));
  members.emplace_back("allowListMapping", JsonOf(metrics.allow_metric_labels));
  members.emplace_back("allowListMappingManifest", metrics.allow_metric_labels_manifest);
  return all;
}

}  // namespace

std::vector<std::string> MetricErrors(const Metrics& metrics) {
  Texts errors;
  CheckShownVersion(metrics, errors);
  CheckDisabled(metrics, errors);
  if (std::string wrong = AllowListError(".allowListMapping", metrics.allow_metric_labels); !wrong.empty()) {
    errors.push_back(std::move(wrong));
  }
  CheckManifest(metrics, errors);
  if (!metrics.allow_metric_labels.empty() && !metrics.allow_metric_labels_manifest.empty()) {
    errors.push_back(
        Invalid("", json::Dump(JsonOf(metrics)), "cannot specify both allowListMapping and allowListMappingManifest"));
  }
  return errors;
}

std::map<std::string, std::string> AllowedMetricLabels(const Metrics& metrics) {
  if (!metrics.allow_metric_labels.empty() || metrics.allow_metric_labels_manifest.empty()) {
    return metrics.allow_metric_labels;
  }
  auto list = ReadManifest(metrics.allow_metric_labels_manifest);
  return list ? std::move(*list) : AllowList();
}

}  // namespace berth::options
