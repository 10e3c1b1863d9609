#include "telemetry/log/write_lines.h"

#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace berth::log {
namespace {

// The first lines that fit into PIPE_BUF together, or the first line if it does not fit.
std::string_view FrontLines(std::string_view text) {
  if (text.size() <= PIPE_BUF) return text;
  size_t end = text.rfind('\n', PIPE_BUF - 1);
  if (end == std::string_view::npos) end = text.find('\n');
  return text.substr(0, end == std::string_view::npos ? end : end + 1);
}

}  // namespace

size_t WriteLines(int fd, std::string_view text) {
  size_t written = 0;
  while (written < text.size()) {
    const std::string_view part = FrontLines(text.substr(written));
    const ssize_t n = write(fd, part.data(), part.size());
    if (n >= 0) {
      written += static_cast<size_t>(n);
    } else if (errno == EAGAIN) {  // the descriptor was made non-blocking
      pollfd room{fd, POLLOUT, 0};
      poll(&room, 1, -1);
    } else if (errno != EINTR) {
      break;
    }
  }
  return written;
}

}  // namespace berth::log
