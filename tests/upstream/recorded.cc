#include "recorded.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "codec/yaml/yaml_documents.h"

namespace berth::upstream {
namespace {

const std::string kDirectory = BERTH_TEST_SOURCE_DIR "/tests/upstream";

std::vector<json::Value> Read(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  auto read = yaml::ReadYaml(text.str(), path.filename(), {.max_bytes = 4 << 20});
  if (!read) {
    std::cerr << read.error().message << "\n";
    std::abort();
  }
  return std::move(*read);
}

Case CaseOf(const json::Value& document, const json::Value& written) {
  Case out;
  out.package = At(document, "package").string();
  out.test = At(document, "test").string();
  out.name = At(written, "name").string();
  out.plugin = At(written, "plugin").string();
  out.with = Texts(At(written, "with"));
  out.args = At(written, "args");
  out.gates = Texts(At(written, "gates"));
  out.nodes = At(written, "nodes").array();
  out.objects = At(written, "objects").array();
  out.calls = At(written, "calls").array();
  for (json::Value& call : out.calls) {
    if (call.Find("pod") == nullptr) call.Set("pod", At(written, "pod"));
  }
  return out;
}

std::vector<Case> ReadAll() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kDirectory)) {
    if (entry.path().extension() == ".yaml" && entry.path().stem() != "left-out") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Case> cases;
  for (const auto& file : files) {
    for (const json::Value& document : Read(file)) {
      for (const json::Value& written : At(document, "cases").array()) {
        cases.push_back(CaseOf(document, written));
      }
    }
  }
  return cases;
}

}  // namespace

const json::Value& At(const json::Value& value, std::string_view key) {
  static const json::Value nothing;
  const json::Value* found = value.Find(key);
  return found == nullptr ? nothing : *found;
}

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = ReadAll();
  return cases;
}

std::vector<std::string> Texts(const json::Value& list) {
  std::vector<std::string> out;
  for (const json::Value& item : list.array()) out.push_back(item.string());
  return out;
}

}  // namespace berth::upstream
