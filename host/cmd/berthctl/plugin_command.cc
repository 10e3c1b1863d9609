// berthctl plugin new | list | inspect | explain.
#include <chrono>
#include <iostream>
#include <memory>
#include <utility>

#include "base/text.h"
#include "cmd/berthctl/cluster_flags.h"
#include "cmd/berthctl/commands.h"
#include "cmd/berthctl/running_plugins.h"
#include "plugin/loader/inspection.h"
#include "plugin/loader/plugin_directory.h"
#include "plugin/loader/rule.h"
#include "policy/assembly/library_catalog.h"

namespace berth::ctl {
namespace {

void PrintFindings(const loader::Inspection& inspection) {
  static constexpr const char* kWeights[] = {"hint", "warning", "error"};
  for (const loader::Finding& finding : inspection.findings) {
    std::cout << "  " << kWeights[static_cast<size_t>(loader::WeightOf(finding))] << " " << loader::RuleId(finding.rule)
              << ": " << finding.text << "\n";
  }
}

void PrintLibrary(const loader::Inspection& library) {
  std::cout << library.path << "\n";
  if (!library.note) return;
  std::cout << "  version " << library.note->version << ", ABI " << library.note->abi_major << "."
            << library.note->abi_minor << ", sha256 " << library.sha256.substr(0, 12) << "\n";
  for (const loader::NotedPlugin& plugin : library.note->plugins) {
    std::cout << "  " << plugin.name << ": " << base::Join(plugin.points, ", ") << "\n";
    if (!plugin.sample_args.is_null()) std::cout << "    sample args " << json::Dump(plugin.sample_args) << "\n";
  }
}

int List(const std::vector<std::string>& directories) {
  const loader::Inventory inventory = loader::ScanDirectories(assembly::OrDefault(directories));
  for (const loader::Inspection& library : inventory.libraries) PrintLibrary(library);
  for (const loader::Inspection& refused : inventory.refused) std::cout << "REFUSED " << refused.Refusal() << "\n";
  return inventory.refused.empty() ? 0 : 1;
}

int Inspect(const std::vector<std::string>& files) {
  bool all_usable = true;
  for (const std::string& file : files) {
    const loader::Inspection inspection = loader::InspectFile(file);
    PrintLibrary(inspection);
    PrintFindings(inspection);
    all_usable = all_usable && inspection.usable();
  }
  return all_usable ? 0 : 1;
}

struct PluginFlags {
  std::vector<std::string> directories, files;
  std::string running, output = "table";
  ClusterFlags cluster;
};

base::Result<AdminConnection> SchedulerOf(const PluginFlags& options, bool in_cluster) {
  constexpr std::chrono::seconds kWait{5};
  if (!in_cluster) return ConnectTo(options.running, kWait);
  auto connection = ConnectToCluster(options.cluster.options, kWait);
  if (!connection) return tl::unexpected(connection.error());
  return std::move(connection->scheduler);
}

int Refuse(const base::Error& error) {
  std::cerr << "berthctl: " << error.message << "\n";
  return 1;
}

int RunList(const flags::Command& list, const PluginFlags& options) {
  const auto in_cluster = AsksCluster(list, options.cluster, {"running", "plugin-dir"});
  if (!in_cluster) return Refuse(in_cluster.error());
  if (!*in_cluster && options.running.empty()) return List(options.directories);
  const auto scheduler = SchedulerOf(options, *in_cluster);
  return scheduler ? ListRunning(*scheduler, options.output == "json") : Refuse(scheduler.error());
}

}  // namespace

void AddPluginCommand(flags::Command& program, bool kubectl_plugin) {
  auto options = std::make_shared<PluginFlags>();
  options->cluster.kubectl = kubectl_plugin;
  flags::Command& command = program.AddSubcommand("plugin", "create, inspect, and validate plugin libraries");
  AddPluginNewCommand(command);
  flags::Command& list = command.AddSubcommand("list", "list the libraries and their plugins");
  list.Add({.name = "plugin-dir",
            .value = flags::Repeated(options->directories, flags::Takes::kMany),
            .help = "directory of plugin libraries; repeatable"});
  list.Add(
      {.name = "running",
       .value = flags::Text(options->running),
       .help = "list the plugins of the running berth-scheduler with this --admin-address instead (127.0.0.1:10261)"});
  list.Add({.name = "output",
            .letter = 'o',
            .value = flags::Choice(options->output, {"table", "json"}),
            .help = "of a running scheduler: table, or the scheduler's answer as json"});
  AddClusterFlags(list, options->cluster);
  list.OnRun([options, &list] { return RunList(list, *options); });
  flags::Command& inspect =
      command.AddSubcommand("inspect", "show the notes of library files, and the rules that they break");
  inspect.AddArguments("FILE", options->files, "library files", true);
  inspect.OnRun([options] { return Inspect(options->files); });
  AddPluginValidateCommand(command);
  AddPardonCommand(command);
}

}  // namespace berth::ctl
