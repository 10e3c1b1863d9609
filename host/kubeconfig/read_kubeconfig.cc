#include "config/yaml_documents.h"
#include "kubeconfig/discretion.h"
#include "kubeconfig/selection.h"
#include "log/log.h"

namespace berth::kubeconfig {
namespace {

std::string Located(const std::string& file, const json::Mark& mark) {
  return file + ":" + std::to_string(mark.line) + ":" + std::to_string(mark.column);
}

void WarnOfDuplicates(const std::string& file, const config::YamlDocument& document) {
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
  const auto fault = config::ForEachYamlDocument(*text, {}, [&](config::YamlDocument document) {
    if (++documents > 1) return;  // Go reads the first one only
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

}  // namespace berth::kubeconfig
