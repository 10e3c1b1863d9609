#include "config/options/log_streams.h"

#include <algorithm>

#include "base/quantity.h"

namespace berth::options {

log::Streams StreamsOf(const Logging& logging) {
  const bool json = logging.format == "json";
  const auto buffer = base::Quantity::Parse(json ? logging.json_info_buffer_size : logging.text_info_buffer_size);
  log::Streams streams;
  streams.split = json ? logging.json_split_stream : logging.text_split_stream;
  streams.info_buffer = buffer ? static_cast<size_t>(std::max<int64_t>(buffer->Value(), 0)) : 0;
  streams.flush_frequency = logging.flush_frequency;
  return streams;
}

}  // namespace berth::options
