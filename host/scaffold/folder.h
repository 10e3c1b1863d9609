// The folder of a new plugin: a template's files with the plugin's names in them. Called by `berthctl plugin new`.
// Thread: any.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "scaffold/names.h"

namespace berth::scaffold {

// Where templates are installed: <prefix>/share/berth/template of the program <prefix>/bin/berthctl.
std::filesystem::path TemplatesOf(const std::filesystem::path& program);

// The text of a template's file, with the names in place of the template's own and, where a Rust template says
// @berth-plugin@, the folder of the SDK's crate.
std::string Filled(const std::string& text, const Names& names, Language language, const std::string& crate);

// Copies templates/<language> to into/<snake>, filled. templates: a folder like sdk/template, with the crate in
// ../rust. The answer is the new folder. Errors: a folder that is missing or, of the new one, exists already; a file
// that cannot be read or written.
base::Result<std::filesystem::path> MakeFolder(const std::filesystem::path& templates,
                                               const std::filesystem::path& into, const Names& names,
                                               Language language);

}  // namespace berth::scaffold
