// Whole lines to a descriptor. Thread: any; lines of one caller at a time, or they may be mixed up.
#pragma once

#include <cstddef>
#include <string_view>

namespace berth::log {

// Writes all of it, and waits for as long as the descriptor takes nothing. A pipe gets whole lines as far as it can
// promise not to mix them with those of other writers (PIPE_BUF). text: lines, each with its line break. Returns how
// many bytes were written: fewer than there are when the descriptor is broken.
size_t WriteLines(int fd, std::string_view text);

}  // namespace berth::log
