#include "base/read_all.h"

namespace berth::base {

std::string ReadAll(std::istream& in) {
  if (!in) return {};
  constexpr size_t kFirstBlock = size_t{64} << 10;
  std::string text;
  size_t size = 0;
  while (in) {
    text.resize(size == 0 ? kFirstBlock : 2 * size);
    in.read(text.data() + size, static_cast<std::streamsize>(text.size() - size));
    size += static_cast<size_t>(in.gcount());
  }
  text.resize(size);
  if (in.eof() && !in.bad()) in.clear(std::ios::eofbit);  // read() counts the end as a failure
  return text;
}

}  // namespace berth::base
