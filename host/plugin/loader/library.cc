#include "plugin/loader/library.h"

namespace berth::loader {

const berth_descriptor* Library::Describe(std::string_view plugin) const {
  const NotedPlugin* noted = note().Find(plugin);
  return noted == nullptr ? nullptr : code_->greeting.descriptors[noted - note().plugins.data()];
}

std::span<const std::string> Library::PointsOf(std::string_view plugin) const {
  const NotedPlugin* noted = note().Find(plugin);
  return noted == nullptr ? std::span<const std::string>() : noted->points;
}

base::Result<std::shared_ptr<const Library>> LinkedLibrary(std::string name, std::string_view note, EntryFunction entry,
                                                           uint32_t host_minor) {
  auto code = std::make_shared<Library::Code>();
  tl::expected<Note, Finding> parsed = ParseNote(note, host_minor);
  if (!parsed) return base::Fail(FindingLine(name, parsed.error()));
  code->note = std::move(*parsed);
  tl::expected<Greeting, Finding> greeting = Greet(entry, code->note, host_minor);
  if (!greeting) return base::Fail(FindingLine(name, greeting.error()));
  code->greeting = std::move(*greeting);
  code->mapping.path = name;
  code->mapping.entry = entry;
  return std::make_shared<const Library>(std::move(name), std::move(code));
}

}  // namespace berth::loader
