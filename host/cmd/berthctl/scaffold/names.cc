#include "cmd/berthctl/scaffold/names.h"

#include <algorithm>
#include <span>

#include "base/text.h"

namespace berth::scaffold {
namespace {

constexpr std::string_view kLanguages[] = {"c", "cpp", "rust"};  // in the order of Language

// Names that the templates cannot use for a CMake target, a namespace, or a crate.
constexpr std::string_view kCmakeWords[] = {"all",  "berth",   "clean",   "common",        "edit_cache",
                                            "help", "install", "package", "rebuild_cache", "test"};
constexpr std::string_view kCppWords[] = {
    "alignas",  "alignof",   "and",      "asm",      "auto",      "bool",      "break",     "case",      "catch",
    "char",     "class",     "compl",    "concept",  "const",     "consteval", "constexpr", "constinit", "continue",
    "co_await", "co_return", "co_yield", "decltype", "default",   "delete",    "do",        "double",    "else",
    "enum",     "explicit",  "export",   "extern",   "false",     "float",     "for",       "friend",    "goto",
    "if",       "inline",    "int",      "long",     "mutable",   "namespace", "new",       "noexcept",  "not",
    "nullptr",  "operator",  "or",       "private",  "protected", "public",    "register",  "requires",  "return",
    "short",    "signed",    "sizeof",   "static",   "std",       "struct",    "switch",    "template",  "testing",
    "this",     "throw",     "true",     "try",      "typedef",   "typeid",    "typename",  "union",     "unsigned",
    "using",    "virtual",   "void",     "volatile", "while",     "xor"};
constexpr std::string_view kRustWords[] = {
    "abstract", "alloc",  "as",       "async", "await",      "become", "berth_plugin", "box",    "break",  "const",
    "continue", "core",   "crate",    "do",    "dyn",        "else",   "enum",         "extern", "false",  "final",
    "fn",       "for",    "if",       "impl",  "in",         "let",    "loop",         "macro",  "match",  "mod",
    "move",     "mut",    "override", "priv",  "proc_macro", "pub",    "ref",          "return", "self",   "static",
    "std",      "struct", "super",    "test",  "trait",      "true",   "try",          "type",   "typeof", "unsafe",
    "unsized",  "use",    "virtual",  "where", "while",      "yield"};
// Names that the templates define or include.
constexpr std::string_view kTypeNames[] = {"Args",   "Cycle",   "Error",      "Events",     "Filter",     "Host",
                                           "Id",     "Info",    "Interest",   "JsonWriter", "Kind",       "Node",
                                           "Plugin", "Pod",     "Reuse",      "Score",      "Self",       "Status",
                                           "Value",  "Verdict", "ArgsErrors", "ArgsReader", "CheckedArgs"};

using Words = std::span<const std::string_view>;
bool Among(std::string_view word, Words words) { return std::find(words.begin(), words.end(), word) != words.end(); }

// Independent of the locale.
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
char Upper(char c) { return IsLower(c) ? static_cast<char>(c - 'a' + 'A') : c; }
char Lower(char c) { return IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

bool IsName(std::string_view text) {
  bool after_dash = true;  // the name must start with a letter or digit
  for (const char c : text) {
    if (c == '-' ? after_dash : !IsUpper(c) && !IsLower(c) && !base::IsDigit(c)) return false;
    after_dash = c == '-';
  }
  return !text.empty() && !base::IsDigit(text.front()) && !after_dash;
}

// Whether a new word starts at i. Consecutive capitals form one word: NodeCPUScore is node_cpu_score.
bool BeginsWord(std::string_view text, size_t i) {
  if (i == 0 || !IsUpper(text[i])) return false;
  const char before = text[i - 1];
  if (IsLower(before) || base::IsDigit(before)) return true;
  return IsUpper(before) && i + 1 < text.size() && IsLower(text[i + 1]);
}

std::string Snake(std::string_view plugin) {
  std::string snake;
  for (size_t i = 0; i < plugin.size(); ++i) {
    if (BeginsWord(plugin, i)) snake += '_';
    snake += plugin[i] == '-' ? '_' : Lower(plugin[i]);
  }
  return snake;
}

std::string Camel(std::string_view plugin) {
  std::string camel;
  bool first = true;
  for (const char c : plugin) {
    if (c != '-') camel += first ? Upper(c) : c;
    first = c == '-';
  }
  return camel;
}

bool IsTaken(const Names& names, Language language) {
  if (Among(names.camel, kTypeNames)) return true;
  if (language == Language::kRust) return Among(names.snake, kRustWords);
  return Among(names.snake, kCmakeWords) || Among(names.snake, kCppWords);
}

}  // namespace

std::optional<Language> LanguageOf(std::string_view word) {
  const auto* found = std::find(std::begin(kLanguages), std::end(kLanguages), word);
  if (found == std::end(kLanguages)) return std::nullopt;
  return static_cast<Language>(found - std::begin(kLanguages));
}

std::string_view WordOf(Language language) { return kLanguages[static_cast<size_t>(language)]; }

base::Result<Names> NamesOf(const std::string& plugin, Language language) {
  if (!IsName(plugin)) {
    return base::Fail(
        base::Quoted(plugin) +
        " is not a valid plugin name: expected letters, digits, and single dashes, starting with a letter");
  }
  Names names{plugin, Snake(plugin), Camel(plugin)};
  if (IsTaken(names, language)) {
    return base::Fail(base::Quoted(plugin) +
                      " is reserved by the build, the language, or the SDK; choose another name");
  }
  return names;
}

}  // namespace berth::scaffold
