#include "plugin/loader/loader.h"

#include <algorithm>

#include "os/crypto/digest.h"
#include "telemetry/log/log.h"

namespace berth::loader {
namespace {

std::optional<Finding> CheckDigest(const std::string& actual, const std::string& pinned, const TrustRules& trust) {
  if (pinned.empty()) {
    if (!trust.require_digest) return std::nullopt;
    return Finding{Rule::kDigest, "is not pinned by its SHA-256 (" + actual + "), which the configuration requires"};
  }
  if (crypto::DigestsEqual(actual, pinned)) return std::nullopt;
  return Finding{Rule::kDigest, "has the SHA-256 " + actual + ", pinned is " + pinned};
}

tl::expected<Staged, Finding> ReadAndStage(const std::string& path, const LoaderOptions& options) {
  const tl::expected<PluginFile, Finding> file = ReadPluginFile(path, options.trust);
  if (!file) return tl::unexpected(file.error());
  return Stage(file->bytes, path, options.staging);
}

// The first plugin that has reached the most mapped versions.
std::optional<Finding> CheckGenerations(const std::vector<std::string>& plugins) {
  for (const std::string& plugin : plugins) {
    size_t mapped = 0;
    for (const Mapping* mapping : Mappings())
      mapped += std::count(mapping->plugins.begin(), mapping->plugins.end(), plugin);
    if (mapped < kMostGenerations) continue;
    return Finding{Rule::kGenerations, "would be version " + std::to_string(mapped + 1) + " of " + plugin +
                                           " in this process, which keeps what it has mapped; restart it to load more"};
  }
  return std::nullopt;
}

}  // namespace

Inventory Loader::Scan(const std::vector<std::string>& directories, const std::vector<std::string>& bound_files) const {
  Inventory inventory = ScanDirectories(directories, options_.trust, options_.host_minor);
  for (const std::string& file : bound_files) AddBound(inventory, file, options_.trust, options_.host_minor);
  return inventory;
}

base::Result<std::shared_ptr<const Library>> Loader::Open(const std::string& path, const std::string& sha256) {
  base::MutexLock one_at_a_time(LoadMutex());
  Opened opened = OpenFile(path, sha256);
  if (!opened) return base::Fail(FindingLine(path, opened.error()));
  auto library = std::make_shared<const Library>(path, std::move(*opened));
  log::V(2, "Opened plugin library",
         {{"library", path},
          {"plugins", library->PluginNames()},
          {"version", library->version()},
          {"sha256", library->sha256()},
          {"buildID", library->build_id()},
          {"generation", library->generation()}});
  return library;
}

// The digest and all checks use the staged copy, which is what will be mapped.
Loader::Opened Loader::OpenFile(const std::string& path, const std::string& sha256) {
  tl::expected<Staged, Finding> staged = ReadAndStage(path, options_);
  if (!staged) return tl::unexpected(std::move(staged.error()));
  const base::Result<std::vector<std::byte>> bytes = staged->Bytes();
  if (!bytes) return tl::unexpected(Finding{Rule::kStaging, bytes.error().message});
  Inspection inspection = InspectBytes(path, *bytes, options_.host_minor);
  if (auto wrong = CheckDigest(inspection.sha256, sha256, options_.trust)) return tl::unexpected(std::move(*wrong));
  if (auto wrong = CheckSignature(path, *bytes, options_.trust)) return tl::unexpected(std::move(*wrong));
  {
    base::MutexLock lock(mutex_);
    if (const auto known = opened_.find(inspection.sha256); known != opened_.end()) return known->second;
  }
  if (const Finding* error = FirstError(inspection.findings)) return tl::unexpected(*error);
  return Load(path, std::move(inspection), std::move(*staged));
}

Loader::Opened Loader::Load(const std::string& path, Inspection inspection, Staged staged) {
  const Mapping* mapping = FindMapping(inspection.sha256);
  if (mapping == nullptr) {
    std::vector<std::string> plugins = inspection.note->Names();
    if (auto wrong = CheckGenerations(plugins)) return tl::unexpected(std::move(*wrong));
    if (options_.rehearse) {
      auto wrong = options_.rehearse({path, staged.fd(), staged.linker_path(), options_.host_minor, inspection.sha256});
      if (wrong) return tl::unexpected(std::move(*wrong));
    }
    auto mapped = MapStaged(std::move(staged), {.path = path,
                                                .sha256 = inspection.sha256,
                                                .build_id = inspection.elf.build_id,
                                                .plugins = std::move(plugins),
                                                .bytes = inspection.bytes});
    if (!mapped) return tl::unexpected(std::move(mapped.error()));
    mapping = *mapped;
  }
  Opened opened = Introduce(*mapping, std::move(inspection));
  base::MutexLock lock(mutex_);
  return opened_.emplace(mapping->sha256, std::move(opened)).first->second;
}

Loader::Opened Loader::Introduce(const Mapping& mapping, Inspection inspection) const {
  tl::expected<Greeting, Finding> greeting = Greet(mapping.entry, *inspection.note, options_.host_minor);
  if (!greeting) return tl::unexpected(std::move(greeting.error()));
  return std::make_shared<const Library::Code>(
      Library::Code{mapping, std::move(*inspection.note), std::move(*greeting), std::move(inspection.findings)});
}

std::vector<RetainedLibrary> Loader::Retained() const {
  std::vector<RetainedLibrary> retained;
  base::MutexLock lock(mutex_);
  for (const Mapping* mapping : Mappings()) {
    const auto opened = opened_.find(mapping->sha256);
    if (opened == opened_.end()) continue;
    const bool in_use = opened->second && opened->second->use_count() > 1;
    retained.push_back(
        {mapping->generation, mapping->path, mapping->sha256, mapping->build_id, mapping->bytes, in_use});
  }
  return retained;
}

}  // namespace berth::loader
