// berthctl plugin new.
#include <filesystem>
#include <iostream>
#include <memory>
#include <system_error>

#include "cmd/berthctl/commands.h"
#include "cmd/berthctl/scaffold/folder.h"

namespace berth::ctl {
namespace {

struct NewPluginOptions {
  std::vector<std::string> name;
  std::string language = "cpp", into = ".", templates;
};

std::filesystem::path Templates(const NewPluginOptions& options) {
  if (!options.templates.empty()) return options.templates;
  std::error_code error;  // without /proc, the path does not exist, and the error names it
  return scaffold::TemplatesOf(std::filesystem::read_symlink("/proc/self/exe", error));
}

const char* NextSteps(scaffold::Language language) {
  return language == scaffold::Language::kRust ? "cargo test && cargo build --release"
                                               : "cmake -B build -DCMAKE_PREFIX_PATH=<where the SDK is> && cmake "
                                                 "--build build && ctest --test-dir build";
}

int New(const NewPluginOptions& options) {
  const scaffold::Language language = *scaffold::LanguageOf(options.language);
  const auto names = scaffold::NamesOf(options.name.front(), language);
  if (!names) {
    std::cerr << names.error().message << "\n";
    return 1;
  }
  const auto folder = scaffold::MakeFolder(Templates(options), options.into, *names, language);
  if (!folder) {
    std::cerr << folder.error().message << "\n";
    return 1;
  }
  std::cout << folder->string() << " is ready: plugin " << names->plugin << ", in " << options.language
            << ". There:\n  " << NextSteps(language) << "\nIts README.md explains the files.\n";
  return 0;
}

}  // namespace

void AddPluginNewCommand(flags::Command& plugin) {
  auto options = std::make_shared<NewPluginOptions>();
  flags::Command& command = plugin.AddSubcommand(
      "new", "create a folder with a plugin that builds, passes its tests, and does something harmless");
  command.AddArguments("NAME", options->name, "name of the plugin in profiles: spareRoom, SpareRoom, or spare-room",
                       false);
  command.Add({.name = "lang",
               .value = flags::Choice(options->language, {"c", "cpp", "rust"}),
               .help = "programming language"});
  command.Add({.name = "into", .value = flags::Text(options->into), .help = "parent of the new folder"});
  command.Add({.name = "template",
               .value = flags::Text(options->templates),
               .help = "folder with the templates; if not set: share/berth/template beside berthctl's bin"});
  command.OnRun([options] { return New(*options); });
}

}  // namespace berth::ctl
