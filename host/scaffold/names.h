// What a new plugin is called in each place where it has a name. Pure. Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::scaffold {

enum class Language : uint8_t { kC, kCpp, kRust };

// "c", "cpp", "rust": what --lang takes, and the template's folder.
std::optional<Language> LanguageOf(std::string_view word);
std::string_view WordOf(Language language);

struct Names {
  std::string plugin;  // as profiles write it: spareRoom, SpareRoom or spare-room
  std::string snake;   // folder, library, CMake target, namespace, crate: spare_room
  std::string camel;   // class or struct: SpareRoom
};

// Refuses what is no name for a plugin (letters, digits and single dashes, beginning with a letter), and what the build
// or the language has taken.
base::Result<Names> NamesOf(const std::string& plugin, Language language);

}  // namespace berth::scaffold
