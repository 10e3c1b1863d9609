#include "plugin/loader/handshake.h"

#include <algorithm>
#include <cstring>
#include <exception>

#include "base/text.h"
#include "codec/json/utf8.h"
#include "codec/json/value.h"

namespace berth::loader {
namespace {

using base::Quoted;

constexpr size_t kEntrySize = offsetof(berth_entry, extension) + sizeof(berth_entry::extension);
constexpr size_t kDescriptorSize = offsetof(berth_descriptor, args_schema) + sizeof(berth_descriptor::args_schema);
constexpr size_t kLongestText = 256, kLongestSchema = size_t{1} << 20;

// Calls into the library. Returns "", or the text of an exception.
template <class Fn>
std::string Guarded(Fn&& call) {
  try {
    call();
    return {};
  } catch (const std::exception& e) {
    return "threw: " + std::string(e.what());
  } catch (...) {
    return "threw something that is not a std::exception";
  }
}

std::string HostVersion(uint32_t host_minor) {
  return std::to_string(BERTH_ABI_MAJOR) + "." + std::to_string(host_minor);
}

std::optional<Finding> CheckEntry(const berth_entry& entry) {
  if (entry.size < kEntrySize) {
    return Finding{Rule::kEntryTable, "the table of berth_entry_v1 has " + std::to_string(entry.size) +
                                          " bytes; ABI 1.0's has " + std::to_string(kEntrySize)};
  }
  const std::pair<const char*, bool> functions[] = {{"count", entry.count != nullptr},
                                                    {"describe", entry.describe != nullptr},
                                                    {"create", entry.create != nullptr},
                                                    {"extension", entry.extension != nullptr}};
  for (const auto& [name, present] : functions) {
    if (!present) return Finding{Rule::kEntryTable, std::string("the table of berth_entry_v1 has no ") + name + "()"};
  }
  return std::nullopt;
}

// Returns "", or the error in a text of the descriptor.
std::string CheckText(const char* what, const char* text) {
  if (text == nullptr) return std::string("has no ") + what;
  const size_t length = strnlen(text, kLongestText + 1);
  if (length > kLongestText)
    return std::string("has a ") + what + " of more than " + std::to_string(kLongestText) + " bytes";
  const std::string_view view(text, length);
  const bool printable = std::none_of(view.begin(), view.end(), base::IsControl);
  return printable && json::IsUtf8(view) ? "" : std::string("has a ") + what + " that is not printable UTF-8";
}

std::string CheckSchema(const char* schema) {
  if (schema == nullptr) return {};
  const size_t length = strnlen(schema, kLongestSchema + 1);
  if (length > kLongestSchema) return "has an args schema of more than 1 MiB";
  const base::Result<json::Value> document = json::Parse(std::string_view(schema, length));
  if (!document) return "has an args schema that is not JSON: " + document.error().message;
  return document->is_object() ? "" : "has an args schema that is not a JSON object";
}

std::string CheckDescriptor(const berth_descriptor* descriptor) {
  if (descriptor == nullptr) return "is NULL";
  if (descriptor->size < kDescriptorSize) {
    return "has " + std::to_string(descriptor->size) + " bytes; ABI 1.0's has " + std::to_string(kDescriptorSize);
  }
  for (const auto& [what, text] :
       {std::pair{"name", descriptor->name}, {"version", descriptor->version}, {"vendor", descriptor->vendor}}) {
    if (std::string wrong = CheckText(what, text); !wrong.empty()) return wrong;
  }
  return CheckSchema(descriptor->args_schema);
}

std::optional<Finding> ReadCount(const berth_entry& entry, const Note& note) {
  uint32_t count = 0;
  const std::string threw = Guarded([&] { count = entry.count(); });
  if (!threw.empty()) return Finding{Rule::kCount, "count() " + threw};
  if (count > kMostPlugins) {
    return Finding{Rule::kCount,
                   "count() answers " + std::to_string(count) + "; a library may hold " + std::to_string(kMostPlugins)};
  }
  if (count == note.plugins.size()) return std::nullopt;
  return Finding{Rule::kCount, "count() answers " + std::to_string(count) + ", but the note names " +
                                   std::to_string(note.plugins.size())};
}

std::optional<Finding> ReadDescriptors(const berth_entry& entry, const Note& note,
                                       std::vector<const berth_descriptor*>& descriptors) {
  descriptors.assign(note.plugins.size(), nullptr);
  std::vector<std::string> names;
  bool as_noted = true;
  for (uint32_t i = 0; i < note.plugins.size(); ++i) {
    const berth_descriptor* descriptor = nullptr;
    std::string wrong = Guarded([&] { descriptor = entry.describe(i); });
    if (wrong.empty()) wrong = CheckDescriptor(descriptor);
    if (!wrong.empty())
      return Finding{Rule::kDescriptors, "the descriptor of plugin " + std::to_string(i) + " " + wrong};
    names.push_back(descriptor->name);
    const NotedPlugin* noted = note.Find(descriptor->name);
    const size_t place = noted == nullptr ? 0 : noted - note.plugins.data();
    if (noted == nullptr || descriptors[place] != nullptr) as_noted = false;
    if (noted != nullptr) descriptors[place] = descriptor;
  }
  if (as_noted) return std::nullopt;
  return Finding{Rule::kNamesAsNoted, "describes the plugins " + base::Join(names, ", ") + ", but the note names " +
                                          base::Join(note.Names(), ", ")};
}

}  // namespace

tl::expected<Greeting, Finding> Greet(EntryFunction entry, const Note& note, uint32_t host_minor) {
  Greeting greeting;
  const std::string call = "berth_entry_v1(" + std::to_string(host_minor) + ")";
  const std::string threw = Guarded([&] { greeting.entry = entry(host_minor); });
  if (!threw.empty()) return tl::unexpected(Finding{Rule::kRehearsal, call + " " + threw});
  if (greeting.entry == nullptr) {
    return tl::unexpected(Finding{Rule::kEntryAnswers, call + " answered NULL: the library, built for plugin ABI " +
                                                           std::to_string(note.abi_major) + "." +
                                                           std::to_string(note.abi_minor) + ", finds this host's ABI " +
                                                           HostVersion(host_minor) + " too old"});
  }
  if (auto wrong = CheckEntry(*greeting.entry)) return tl::unexpected(std::move(*wrong));
  if (auto wrong = ReadCount(*greeting.entry, note)) return tl::unexpected(std::move(*wrong));
  if (auto wrong = ReadDescriptors(*greeting.entry, note, greeting.descriptors))
    return tl::unexpected(std::move(*wrong));
  return greeting;
}

}  // namespace berth::loader
