// Writes whole lines to a descriptor. Thread: any; lines of concurrent callers may be mixed.
#pragma once

#include <cstddef>
#include <string_view>

namespace berth::log {

// Writes the whole text, and waits while the descriptor accepts nothing. Writes to a pipe in portions of whole lines
// that fit into PIPE_BUF, so lines of other writers do not mix with them. text: lines, each with its newline. Returns
// the number of bytes written, which is less than the size of the text if the descriptor is broken.
size_t WriteLines(int fd, std::string_view text);

}  // namespace berth::log
