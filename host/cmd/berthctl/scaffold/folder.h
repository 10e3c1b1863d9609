// Creates the folder of a new plugin from a template, with the plugin's names in its files. Callers: `berthctl plugin
// new`. Thread: any.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "cmd/berthctl/scaffold/names.h"

namespace berth::scaffold {

// Where the templates of the program <prefix>/bin/berthctl are installed: <prefix>/share/berth/template.
std::filesystem::path TemplatesOf(const std::filesystem::path& program);

// The text of a template's file with the template's names replaced by `names` and, in a Rust template, @berth-plugin@
// replaced by the folder of the SDK's crate.
std::string Filled(const std::string& text, const Names& names, Language language, const std::string& crate);

// Copies templates/<language> to into/<snake> and replaces the names. templates: a folder like sdk/template, with the
// crate in ../rust. Returns the new folder. Errors: a folder does not exist, the new folder exists already, or a file
// cannot be read or written.
base::Result<std::filesystem::path> MakeFolder(const std::filesystem::path& templates,
                                               const std::filesystem::path& into, const Names& names,
                                               Language language);

}  // namespace berth::scaffold
