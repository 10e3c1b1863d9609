#include "plugin/loader/note.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/text.h"
#include "berth/entry.h"
#include "codec/json/value.h"

namespace berth::loader {
namespace {

using base::Quoted;

constexpr std::array<std::string_view, 12> kPoints = {"preEnqueue", "queueSort", "preFilter", "filter",
                                                      "postFilter", "preScore",  "score",     "reserve",
                                                      "permit",     "preBind",   "bind",      "postBind"};

// Reads the fields of one object and keeps the first error.
class Fields {
 public:
  Fields(const json::Value& object, std::string where, std::optional<std::string>& wrong)
      : object_(object), where_(std::move(where)), wrong_(wrong) {}

  std::string RequiredText(const char* key) {
    const json::Value* value = object_.Find(key);
    if (value == nullptr || !value->is_string() || value->string().empty()) {
      Complain(key, "must be a text that is not empty");
      return {};
    }
    return value->string();
  }
  uint32_t OptionalNumber(const char* key) {
    const json::Value* value = object_.Find(key);
    if (value == nullptr) return 0;
    if (!IsNumber(*value)) Complain(key, "must be a whole number, 0 or more");
    return IsNumber(*value) ? static_cast<uint32_t>(value->integer()) : 0;
  }
  bool OptionalTruth(const char* key) {
    const json::Value* value = object_.Find(key);
    if (value != nullptr && !value->is_bool()) Complain(key, "must be true or false");
    return value != nullptr && value->boolean();
  }
  std::vector<std::string> Texts(const char* key, bool required) {
    std::vector<std::string> texts;
    const json::Value* value = object_.Find(key);
    if (value == nullptr && !required) return texts;
    if (value == nullptr || !value->is_array()) {
      Complain(key, "must be a list of texts");
      return texts;
    }
    for (const json::Value& item : value->array()) {
      if (!item.is_string() || item.string().empty()) Complain(key, "must be a list of texts that are not empty");
      if (std::find(texts.begin(), texts.end(), item.string()) != texts.end())
        Complain(key, "names " + Quoted(item.string()) + " twice");
      texts.push_back(item.string());
    }
    return texts;
  }
  const json::Value* RequiredList(const char* key) {
    const json::Value* value = object_.Find(key);
    if (value != nullptr && value->is_array() && !value->array().empty()) return value;
    Complain(key, "must be a list that is not empty");
    return nullptr;
  }
  json::Value OptionalObject(const char* key, size_t most_bytes) {
    const json::Value* value = object_.Find(key);
    if (value == nullptr) return {};
    if (!value->is_object()) Complain(key, "must be an object");
    const size_t bytes = json::Dump(*value).size();
    if (bytes > most_bytes) {
      Complain(key, "has " + std::to_string(bytes) + " bytes; it may have " + std::to_string(most_bytes));
    }
    return *value;
  }
  void Complain(const char* key, const std::string& what) {
    if (!wrong_) wrong_ = "the note's " + where_ + key + " " + what;
  }
  static bool IsNumber(const json::Value& value) {
    return value.is_int() && value.integer() >= 0 && value.integer() <= std::numeric_limits<uint32_t>::max();
  }

 private:
  const json::Value& object_;
  std::string where_;
  std::optional<std::string>& wrong_;
};

// Names appear in configuration, metrics and log lines.
bool IsPluginName(std::string_view name) {
  return name.size() <= 253 && std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return c > ' ' && c < 0x7f && c != '"' && c != '\\' && c != ',' && c != '=';
         });
}

// A library that is newer than the host can name unknown extension points; skips them.
void CheckPoints(NotedPlugin& plugin, bool newer, Fields& fields) {
  const auto unknown = [](const std::string& point) {
    return std::find(kPoints.begin(), kPoints.end(), point) == kPoints.end();
  };
  if (newer) std::erase_if(plugin.points, unknown);
  const auto found = std::find_if(plugin.points.begin(), plugin.points.end(), unknown);
  if (found != plugin.points.end())
    fields.Complain("points", "names " + Quoted(*found) + ", which is no extension point");
}

NotedPlugin ReadPlugin(const json::Value& value, size_t index, bool newer, std::optional<std::string>& wrong) {
  NotedPlugin plugin;
  Fields fields(value, "plugins[" + std::to_string(index) + "].", wrong);
  plugin.name = fields.RequiredText("name");
  if (!IsPluginName(plugin.name))
    fields.Complain("name",
                    Quoted(plugin.name) +
                        " is not a plugin name: visible ASCII without quotes, commas, = and \\, at most 253 bytes");
  plugin.points = fields.Texts("points", true);
  CheckPoints(plugin, newer, fields);
  plugin.args = fields.OptionalTruth("args");
  plugin.needs = fields.Texts("needs", false);
  plugin.sample_args = fields.OptionalObject("sampleArgs", kMostSampleArgs);
  return plugin;
}

void ReadPlugins(Fields& fields, Note& note, bool newer, std::optional<std::string>& wrong) {
  const json::Value* plugins = fields.RequiredList("plugins");
  if (plugins == nullptr) return;
  if (plugins->array().size() > kMostPlugins) {
    fields.Complain("plugins", "has " + std::to_string(plugins->array().size()) + " entries; a library may hold 64");
    return;
  }
  for (const json::Value& value : plugins->array()) {
    NotedPlugin plugin = ReadPlugin(value, note.plugins.size(), newer, wrong);
    if (note.Find(plugin.name) != nullptr) fields.Complain("plugins", "names " + Quoted(plugin.name) + " twice");
    note.plugins.push_back(std::move(plugin));
  }
}

std::string Version(uint32_t major, uint32_t minor) { return std::to_string(major) + "." + std::to_string(minor); }

// The handshake that needs no code of the library: abi and minHost.
std::optional<Finding> CheckAbi(const Note& note, uint32_t host_minor) {
  const std::string built = Version(note.abi_major, note.abi_minor), host = Version(BERTH_ABI_MAJOR, host_minor);
  if (note.abi_major > BERTH_ABI_MAJOR) {
    return Finding{Rule::kAbiMajor, "was built for plugin ABI " + built + ", which is newer than this host's " + host +
                                        "; use a newer Berth or rebuild the library"};
  }
  if (note.abi_major < BERTH_ABI_MAJOR) {
    return Finding{Rule::kAbiMajor, "was built for plugin ABI " + built + ", which is older than this host's " + host +
                                        "; rebuild the library"};
  }
  if (note.min_host > host_minor) {
    return Finding{Rule::kMinHost, "was built for plugin ABI " + built + " and needs a host of " +
                                       Version(note.abi_major, note.min_host) + " or later; this host has " + host};
  }
  return std::nullopt;
}

bool ReadAbi(const json::Value& document, Note& note) {
  const json::Value* abi = document.Find("abi");
  if (abi == nullptr || abi->array().size() != 2) return false;
  const json::Value& major = abi->array()[0];
  const json::Value& minor = abi->array()[1];
  if (!Fields::IsNumber(major) || !Fields::IsNumber(minor)) return false;
  note.abi_major = static_cast<uint32_t>(major.integer());
  note.abi_minor = static_cast<uint32_t>(minor.integer());
  return true;
}

}  // namespace

const NotedPlugin* Note::Find(std::string_view plugin) const {
  for (const NotedPlugin& one : plugins) {
    if (one.name == plugin) return &one;
  }
  return nullptr;
}

std::vector<std::string> Note::Names() const {
  std::vector<std::string> names;
  for (const NotedPlugin& one : plugins) names.push_back(one.name);
  return names;
}

tl::expected<Note, Finding> ParseNote(std::string_view text, uint32_t host_minor) {
  const base::Result<json::Value> document = json::Parse(text);
  if (!document) return tl::unexpected(Finding{Rule::kNoteJson, "the note is not JSON: " + document.error().message});
  if (!document->is_object()) return tl::unexpected(Finding{Rule::kNoteJson, "the note is JSON but not an object"});
  Note note;
  std::optional<std::string> wrong;
  Fields fields(*document, "", wrong);
  if (!ReadAbi(*document, note)) fields.Complain("abi", "must be [major, minor], two whole numbers");
  note.min_host = fields.OptionalNumber("minHost");
  if (wrong) return tl::unexpected(Finding{Rule::kNoteFields, *wrong});
  if (auto refused = CheckAbi(note, host_minor)) return tl::unexpected(std::move(*refused));
  note.sdk = fields.RequiredText("sdk");
  note.version = fields.RequiredText("version");
  note.draft = fields.Texts("draft", false);
  ReadPlugins(fields, note, note.abi_minor > host_minor, wrong);
  if (wrong) return tl::unexpected(Finding{Rule::kNoteFields, *wrong});
  return note;
}

tl::expected<Note, Finding> ReadNote(const ElfFacts& elf, uint32_t host_minor) {
  if (!elf.note_fault.empty()) return tl::unexpected(Finding{Rule::kNoteWhole, elf.note_fault});
  const ElfNote* found = nullptr;
  for (const ElfNote& note : elf.notes) {
    if (note.name != BERTH_NOTE_NAME || note.type != BERTH_NOTE_TYPE) continue;
    if (found != nullptr) return tl::unexpected(Finding{Rule::kNoteWhole, "has more than one BERTH note"});
    found = &note;
  }
  if (found == nullptr) {
    return tl::unexpected(
        Finding{Rule::kNotePresent, "has no BERTH note, so it is no Berth plugin or was stripped of it"});
  }
  const size_t end = found->desc.find('\0');
  if (end == std::string::npos)
    return tl::unexpected(Finding{Rule::kNoteWhole, "the note's text is not NUL-terminated"});
  if (found->desc.find_first_not_of('\0', end) != std::string::npos) {
    return tl::unexpected(Finding{Rule::kNoteWhole, "the note goes on after the end of its text; its length is wrong"});
  }
  return ParseNote(std::string_view(found->desc).substr(0, end), host_minor);
}

}  // namespace berth::loader
