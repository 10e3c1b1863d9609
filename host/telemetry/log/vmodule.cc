#include "telemetry/log/vmodule.h"

#include <charconv>

#include "base/text.h"

namespace berth::log {
namespace {

// The N of "pattern=N".
base::Result<int> ParseLevel(std::string_view item) {
  const size_t equals = item.find('=');
  const std::string_view text = equals == 0 || equals == std::string_view::npos ? "" : item.substr(equals + 1);
  int level = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), level);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    return base::Fail("vmodule: " + base::Quoted(item) + ": expected a comma-separated list of filename=N");
  }
  if (level < 0) return base::Fail("vmodule: " + base::Quoted(item) + ": the level is negative");
  return level;
}

}  // namespace

std::string_view BaseName(std::string_view file) {
  const size_t slash = file.rfind('/');
  return slash == std::string_view::npos ? file : file.substr(slash + 1);
}

base::Result<VModule> VModule::Parse(std::string_view setting) {
  VModule module;
  while (!setting.empty()) {
    const std::string_view item = setting.substr(0, setting.find(','));
    setting.remove_prefix(std::min(item.size() + 1, setting.size()));
    if (item.empty()) continue;
    const base::Result<int> level = ParseLevel(item);
    if (!level) return tl::unexpected(level.error());
    if (*level > 0) module.levels_.push_back({std::string(item.substr(0, item.find('='))), *level});
  }
  return module;
}

int VModule::LevelOf(std::string_view file) const {
  std::string_view name = BaseName(file);
  name = name.substr(0, name.rfind('.'));
  for (const Level& one : levels_) {
    if (base::GlobMatches(one.pattern, name)) return one.level;
  }
  return 0;
}

}  // namespace berth::log
