#include "recorded.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "config/yaml_documents.h"

namespace berth::upstream {
namespace {

const std::string kDirectory = BERTH_TEST_SOURCE_DIR "/tests/upstream";

std::vector<json::Value> Read(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  auto read = config::ReadYaml(text.str(), path.filename(), {.max_bytes = 4 << 20});
  if (!read) {
    std::cerr << read.error().message << "\n";
    std::abort();
  }
  return std::move(*read);
}

const json::Value& At(const json::Value& value, std::string_view key) {
  static const json::Value nothing;
  const json::Value* found = value.Find(key);
  return found == nullptr ? nothing : *found;
}

Case CaseOf(const json::Value& document, const json::Value& written) {
  Case out{At(document, "package").string(), At(document, "test").string(), At(written, "name").string(),
           At(written, "plugin").string(),   At(written, "args"),           {},
           At(written, "calls").array()};
  for (const json::Value& gate : At(written, "gates").array()) out.gates.push_back(gate.string());
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

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = ReadAll();
  return cases;
}

}  // namespace berth::upstream
