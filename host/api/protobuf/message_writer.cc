#include "api/protobuf/message_writer.h"

#include <algorithm>

#include "api/protobuf/message.h"
#include "base/clock.h"
#include "codec/json/utf8.h"
#include "codec/text/rfc3339.h"

namespace berth::protobuf {
void MessageWriter::Text(uint32_t field, std::string_view text) {
  if (json::IsUtf8(text)) {
    writer_.add_string(field, text.data(), text.size());
  } else {
    writer_.add_string(field, json::ToUtf8(text));
  }
}

void MessageWriter::MicroTime(uint32_t field, int64_t unix_ns) {
  if (unix_ns == text::kNoTime) return;
  const int64_t remainder = unix_ns % base::kSecond;
  const int64_t rest = remainder < 0 ? remainder + base::kSecond : remainder;
  MessageWriter time(*this, field);
  time.Int64(fields::Timestamp::kSeconds, unix_ns / base::kSecond - (remainder < 0 ? 1 : 0));
  const int64_t micros = rest / 1000;
  if (micros > 0) time.Int64(fields::Timestamp::kNanos, micros * 1000);
}

void MessageWriter::CopyFields(std::string_view message, std::span<const uint32_t> left_out) {
  try {
    protozero::pbf_reader reader(message.data(), message.size());
    for (std::string_view rest = message; reader.next();) {
      const uint32_t number = reader.tag();
      reader.skip();
      const std::string_view field = rest.substr(0, rest.size() - reader.length());
      rest.remove_prefix(field.size());
      if (std::find(left_out.begin(), left_out.end(), number) == left_out.end()) out_.append(field);
    }
  } catch (const protozero::exception& e) {
    throw DecodeError(std::string("malformed protobuf: ") + e.what());
  }
}

void WriteNames(MessageWriter& metadata, std::string_view ns, std::string_view name) {
  metadata.Text(fields::ObjectMeta::kName, name);
  metadata.Text(fields::ObjectMeta::kNamespace, ns);
}

}  // namespace berth::protobuf
