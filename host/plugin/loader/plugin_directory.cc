#include "plugin/loader/plugin_directory.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

namespace berth::loader {
namespace {

namespace fs = std::filesystem;

// Sorted paths of the candidates, or why the directory cannot be read.
base::Result<std::vector<std::string>> ListCandidates(const std::string& directory) {
  std::error_code error;
  std::vector<std::string> paths;
  fs::directory_iterator entry(directory, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with('.') && name.ends_with(".so")) paths.push_back(entry->path().string());
  }
  if (error) return base::Fail("the plugin directory cannot be read: " + error.message());
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The file of a name, to detect two names of one file; inspection reports a name without a file.
using FileId = std::pair<uint64_t, uint64_t>;
bool SeenBefore(const std::string& path, std::set<FileId>& seen) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && !seen.insert({status.st_dev, status.st_ino}).second;
}

const Inspection* WithPath(const std::vector<Inspection>& libraries, const std::string& path) {
  const std::string normal = fs::path(path).lexically_normal().string();
  const auto same = [&](const Inspection& library) { return library.path == path || library.path == normal; };
  const auto found = std::find_if(libraries.begin(), libraries.end(), same);
  return found == libraries.end() ? nullptr : &*found;
}

}  // namespace

const Inspection* Inventory::FindLibrary(const std::string& path_or_name) const {
  if (path_or_name.find('/') != std::string::npos) {
    const Inspection* found = WithPath(libraries, path_or_name);
    return found != nullptr ? found : WithPath(bound, path_or_name);
  }
  const Inspection* found = nullptr;
  for (const Inspection& library : libraries) {
    if (fs::path(library.path).filename() != path_or_name) continue;
    if (found != nullptr) return nullptr;
    found = &library;
  }
  return found;
}

Inventory ScanDirectories(const std::vector<std::string>& directories, const TrustRules& trust, uint32_t host_minor) {
  Inventory inventory{.directories = directories};
  std::set<FileId> seen;
  for (const std::string& directory : directories) {
    const base::Result<std::vector<std::string>> paths = ListCandidates(directory);
    if (!paths) {
      inventory.refused.push_back({.path = directory, .findings = {{Rule::kReadable, paths.error().message}}});
      continue;
    }
    for (const std::string& path : *paths) {
      if (SeenBefore(path, seen)) continue;
      Inspection inspection = InspectFile(path, trust, host_minor);
      (inspection.usable() ? inventory.libraries : inventory.refused).push_back(std::move(inspection));
    }
  }
  return inventory;
}

void AddBound(Inventory& inventory, const std::string& path, const TrustRules& trust, uint32_t host_minor) {
  if (inventory.FindLibrary(path) != nullptr || WithPath(inventory.refused, path) != nullptr) return;
  Inspection inspection = InspectFile(path, trust, host_minor);
  (inspection.usable() ? inventory.bound : inventory.refused).push_back(std::move(inspection));
}

}  // namespace berth::loader
