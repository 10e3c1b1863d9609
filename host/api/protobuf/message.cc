#include "api/protobuf/message.h"

#include <algorithm>
#include <limits>

#include "api/protobuf/fields.h"
#include "base/text.h"
#include "codec/text/rfc3339.h"

namespace berth::protobuf {
namespace {

int64_t ToUnixNs(int64_t seconds) {
  int64_t ns;
  if (!__builtin_mul_overflow(seconds, int64_t{1'000'000'000}, &ns)) return ns;
  return seconds < 0 ? std::numeric_limits<int64_t>::min() + 1 : std::numeric_limits<int64_t>::max();
}

}  // namespace

bool Message::Next() {
  if (std::exchange(again_, false)) return true;
  try {
    if (std::exchange(unread_, false)) reader_.skip();
    unread_ = reader_.next();
  } catch (const protozero::exception& e) {
    FailMalformed(e.what());
  }
  done_ = !unread_;
  return unread_;
}

std::string_view Message::Bytes() {
  if (!reader_.has_wire_type(protozero::pbf_wire_type::length_delimited))
    FailMalformed("expected a field with a length");
  unread_ = false;
  try {
    const protozero::data_view view = reader_.get_view();
    return {view.data(), view.size()};
  } catch (const protozero::exception& e) {
    FailMalformed(e.what());
  }
}

int64_t Message::Int64() {
  if (!reader_.has_wire_type(protozero::pbf_wire_type::varint)) FailMalformed("expected a number");
  unread_ = false;
  try {
    return reader_.get_int64();
  } catch (const protozero::exception& e) {
    FailMalformed(e.what());
  }
}

// Without the nanoseconds, which metav1.Time neither writes nor reads.
int64_t Message::Time(const char* name) {
  Message time(*this, name);
  bool empty = true;
  int64_t seconds = 0;
  while (time.Next()) {
    empty = false;
    if (time.field() == fields::Timestamp::kSeconds) seconds = time.Int64();
  }
  return empty || seconds == kGoZeroSeconds ? text::kNoTime : ToUnixNs(seconds);
}

int64_t Message::MicroTime(const char* name) {
  Message time(*this, name);
  bool empty = true;
  int64_t seconds = 0;
  int32_t nanos = 0;
  while (time.Next()) {
    empty = false;
    if (time.field() == fields::Timestamp::kSeconds) seconds = time.Int64();
    if (time.field() == fields::Timestamp::kNanos) nanos = time.Int32();
  }
  const int64_t micros = std::clamp(nanos, 0, 999'999'999) / 1000;
  if (empty || (seconds == kGoZeroSeconds && micros == 0)) return text::kNoTime;
  const int64_t whole = ToUnixNs(seconds);
  int64_t ns;
  return __builtin_add_overflow(whole, micros * 1000, &ns) ? whole : ns;
}

base::Quantity Message::Quantity(const char* name) {
  Message quantity(*this, name);
  base::Quantity value;
  while (quantity.Next()) {
    if (quantity.field() != fields::Quantity::kString) continue;
    auto parsed = base::Quantity::Parse(quantity.Text());
    if (!parsed) quantity.Fail(parsed.error().message);
    value = *parsed;
  }
  return value;
}

std::string Message::Path() const {
  if (outer_ == nullptr) return {};
  std::string path = outer_->Path();
  if (name_ != nullptr && *name_ != '\0') {
    if (!path.empty()) path += '.';
    path += name_;
  }
  if (index_ != kNoIndex) path += '[' + std::to_string(index_) + ']';
  if (key_.data() != nullptr) path += '[' + base::Quoted(key_) + ']';
  return path;
}

void Message::Fail(std::string_view what) const {
  std::string text = Path();
  if (!text.empty()) text += ": ";
  throw DecodeError(text.append(what));
}

void Message::FailMalformed(const char* what) const { Fail(std::string("malformed protobuf: ") + what); }

MapEntry EntryOf(std::string_view bytes) {
  MapEntry result{"", ""};
  Message entry(bytes);
  while (entry.Next()) {
    if (entry.field() == kMapKey) result.key = entry.Text();
    if (entry.field() == kMapValue) result.value = entry.Bytes();
  }
  return result;
}

}  // namespace berth::protobuf
