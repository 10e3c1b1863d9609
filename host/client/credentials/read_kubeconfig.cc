#include "client/credentials/redact.h"
#include "client/credentials/selection.h"
#include "codec/yaml/yaml_documents.h"
#include "telemetry/log/log.h"

namespace berth::credentials {
namespace {

std::string Located(const std::string& file, const json::Mark& mark) {
  return file + ":" + std::to_string(mark.line) + ":" + std::to_string(mark.column);
}

void WarnOfDuplicates(const std::string& file, const yaml::YamlDocument& document) {
  for (const json::DuplicateKey& duplicate : document.duplicates) {
    log::Warning("A field of the kubeconfig is set twice, the last one counts",
                 {{"place", Located(file, duplicate.mark)}, {"field", ShownName(duplicate.key)}});
  }
}

}  // namespace

base::Result<json::Value> ReadKubeconfig(const std::string& file, FileTexts& files) {
  const base::Result<std::string>& text = files.Read(file);
  if (!text) return base::Fail("error loading config file: " + text.error().message);
  json::Value root;
  size_t documents = 0;
  const auto fault = yaml::ForEachYamlDocument(*text, {}, [&](yaml::YamlDocument document) {
    if (++documents > 1) return;  // Go reads only the first one
    WarnOfDuplicates(file, document);
    root = std::move(document.root);
  });
  if (fault) {
    return base::Fail("error loading config file: " + Located(file, fault->mark) + ": " + ShownReason(fault->reason));
  }
  if (documents > 1) log::Warning("Only the first document of the kubeconfig counts", {{"path", file}});
  log::V(6, "Config loaded from file", {{"path", file}});
  return root;
}

}  // namespace berth::credentials
