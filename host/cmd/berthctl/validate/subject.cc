#include "cmd/berthctl/validate/subject.h"

#include <stdexcept>

#include "plugin/loader/loader.h"

namespace berth::validate {

std::shared_ptr<const loader::Library> Open(const std::string& path) {
  auto library = loader::Loader().Open(path);
  if (!library) throw std::runtime_error(library.error().message);
  return std::move(*library);
}

std::shared_ptr<const loader::Library> Open(const Subject& subject) { return Open(subject.path); }

bool IsSerialOnly(const loader::Library& library, const std::string& plugin) {
  const berth_descriptor* descriptor = library.Describe(plugin);
  return descriptor != nullptr && (descriptor->flags & BERTH_F_SERIAL_ONLY) != 0;
}

}  // namespace berth::validate
