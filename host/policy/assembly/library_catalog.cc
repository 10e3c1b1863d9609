#include "policy/assembly/library_catalog.h"

#include <filesystem>

namespace berth::assembly {
namespace {

loader::LoaderOptions OptionsFor(const std::vector<std::string>& directories, const config::BerthConfiguration& berth,
                                 std::string staging_directory, loader::Rehearse rehearse) {
  loader::LoaderOptions options;
  options.staging.directory = std::move(staging_directory);
  options.rehearse = std::move(rehearse);
  options.trust.allowed_directories = berth.security.allowed_directories;
  if (options.trust.allowed_directories.empty()) {
    options.trust.allowed_directories = directories;
    for (const std::string& file : FilesBound(berth)) {  // the configuration may name any file
      options.trust.allowed_directories.push_back(std::filesystem::path(file).parent_path());
    }
  }
  options.trust.check_owner = berth.security.check_owner;
  options.trust.require_digest = berth.security.require_digest;
  options.trust.signature_keys = berth.security.signature_keys;
  return options;
}

std::vector<loader::Binding> BindingsOf(const config::BerthConfiguration& berth) {
  std::vector<loader::Binding> bindings;
  for (const config::PluginBinding& b : berth.plugins) bindings.push_back({b.name, b.library, b.plugin, b.sha256});
  return bindings;
}

}  // namespace

std::vector<std::string> FilesBound(const config::BerthConfiguration& berth) {
  std::vector<std::string> files;
  for (const config::PluginBinding& b : berth.plugins) {
    if (b.library.find('/') != std::string::npos) files.push_back(b.library);
  }
  return files;
}

LibraryCatalog::LibraryCatalog(const std::vector<std::string>& plugin_directories,
                               const config::BerthConfiguration& berth, std::string staging_directory,
                               loader::Rehearse rehearse)
    : loader_(OptionsFor(plugin_directories, berth, std::move(staging_directory), std::move(rehearse))),
      inventory_(loader_.Scan(plugin_directories, FilesBound(berth))),
      index_(loader::NameIndex::Build(inventory_, BindingsOf(berth))) {}

base::Result<std::shared_ptr<const loader::Library>> LibraryCatalog::Open(const loader::Offer& offer) {
  if (const auto known = opened_.find(offer.library); known != opened_.end()) return known->second;
  auto library = loader_.Open(offer);
  if (library) opened_.emplace(offer.library, *library);
  return library;
}

config::PointSet LibraryCatalog::PointsOf(const loader::Offer& offer) {
  config::PointSet points = 0;
  for (const std::string& name : offer.points) {
    if (const auto point = config::PointNamed(name)) points |= config::Bit(*point);
  }
  return points;
}

std::string DefaultPluginDirectory() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return "lib/berth/plugins";
  return (program.parent_path().parent_path() / "lib" / "berth" / "plugins").string();
}

std::vector<std::string> OrDefault(std::vector<std::string> plugin_directories) {
  if (plugin_directories.empty()) plugin_directories.push_back(DefaultPluginDirectory());
  return plugin_directories;
}

}  // namespace berth::assembly
