#include "cmd/berthctl/scaffold/folder.h"

#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "base/read_all.h"

namespace berth::scaffold {
namespace {

namespace fs = std::filesystem;
using Replacements = std::vector<std::pair<std::string, std::string>>;

// Escapes a text for a TOML string.
std::string TomlEscaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// The template's own names. Those of the C template differ, so that one tree can build both.
Replacements ReplacementsFor(const Names& names, Language language, const std::string& crate) {
  const bool c = language == Language::kC;
  return {{c ? "TemplatePluginC" : "TemplatePlugin", names.camel},
          {c ? "templatePluginC" : "templatePlugin", names.plugin},
          {c ? "template_plugin_c" : "template_plugin", names.snake},
          {"@berth-plugin@", TomlEscaped(crate)}};
}

void ReplaceAll(std::string& text, const std::string& what, const std::string& with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

// The files that a build inside the template's folder creates.
bool IsProduct(const fs::path& name) { return name == "build" || name == "target" || name == "Cargo.lock"; }

base::Result<void> CopyFile(const fs::path& from, const fs::path& to, const Replacements& replacements) {
  std::ifstream in(from, std::ios::binary);
  std::string text = base::ReadAll(in);
  if (!in) return base::Fail("cannot read " + from.string());
  for (const auto& [what, with] : replacements) ReplaceAll(text, what, with);
  std::ofstream out(to, std::ios::binary);
  out << text;
  out.close();
  if (!out) return base::Fail("cannot write " + to.string());
  return {};
}

base::Result<void> CopyFolder(const fs::path& from, const fs::path& to, const Replacements& replacements) {
  fs::create_directory(to);
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    const fs::path name = entry.path().filename();
    if (IsProduct(name)) continue;
    auto copied = entry.is_directory() ? CopyFolder(entry.path(), to / name, replacements)
                                       : CopyFile(entry.path(), to / name, replacements);
    if (!copied) return copied;
  }
  return {};
}

}  // namespace

fs::path TemplatesOf(const fs::path& program) {
  return program.parent_path().parent_path() / "share" / "berth" / "template";
}

std::string Filled(const std::string& text, const Names& names, Language language, const std::string& crate) {
  std::string filled = text;
  for (const auto& [what, with] : ReplacementsFor(names, language, crate)) ReplaceAll(filled, what, with);
  return filled;
}

base::Result<fs::path> MakeFolder(const fs::path& templates, const fs::path& into, const Names& names,
                                  Language language) {
  std::error_code ignored;
  const fs::path from = templates / WordOf(language), folder = into / names.snake;
  if (!fs::is_directory(from, ignored)) {
    return base::Fail("there is no template " + from.string() + ": install the SDK, or set its folder with --template");
  }
  if (!fs::is_directory(into, ignored)) return base::Fail("there is no folder " + into.string());
  if (fs::exists(fs::symlink_status(folder, ignored))) return base::Fail(folder.string() + " exists already");
  const fs::path crate = fs::weakly_canonical(fs::absolute(templates, ignored) / ".." / "rust", ignored);
  if (language == Language::kRust && !fs::exists(crate / "Cargo.toml", ignored)) {
    return base::Fail("there is no crate in " + crate.string() + ": it is part of the SDK, beside the templates");
  }
  try {
    const auto copied = CopyFolder(from, folder, ReplacementsFor(names, language, crate.string()));
    if (!copied) return base::Fail(copied.error().message);
  } catch (const fs::filesystem_error& e) {
    return base::Fail(e.what());
  }
  return folder;
}

}  // namespace berth::scaffold
