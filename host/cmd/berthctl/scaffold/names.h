// The forms of a new plugin's name. Pure. Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::scaffold {

enum class Language : uint8_t { kC, kCpp, kRust };

// "c", "cpp", "rust": the values of --lang, and the names of the templates' folders.
std::optional<Language> LanguageOf(std::string_view word);
std::string_view WordOf(Language language);

struct Names {
  std::string plugin;  // the name in profiles: spareRoom, SpareRoom, or spare-room
  std::string snake;   // folder, library, CMake target, namespace, crate: spare_room
  std::string camel;   // class or struct: SpareRoom
};

// Error: the name is not valid (letters, digits, and single dashes, starting with a letter), or the build or the
// language reserves it.
base::Result<Names> NamesOf(const std::string& plugin, Language language);

}  // namespace berth::scaffold
