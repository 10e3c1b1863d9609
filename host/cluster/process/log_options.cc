#include "cluster/process/log_options.h"

#include <utility>

#include "config/options/log_streams.h"

namespace berth::process {

log::Options LogOptionsOf(std::string program, const options::Logging& logging) {
  log::Options out{std::move(program), logging.verbosity, logging.vmodule, true};
  out.format = logging.format == "json" ? log::Format::kJson : log::Format::kText;
  out.streams = options::StreamsOf(logging);
  return out;
}

}  // namespace berth::process
