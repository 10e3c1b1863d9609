#include "api/json_reader.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "codec/text/rfc3339.h"
#include "codec/text/trim.h"

namespace berth::api {

static_assert(text::kNoTime == BERTH_NO_TIME);
namespace {

std::string_view TypeName(simdjson::ondemand::json_type type) {
  using simdjson::ondemand::json_type;
  switch (type) {
    case json_type::array: return "an array";
    case json_type::object: return "an object";
    case json_type::number: return "a number";
    case json_type::string: return "a string";
    case json_type::boolean: return "a boolean";
    case json_type::null: return "null";
  }
  return "something else";
}

}  // namespace

JsonReader& JsonReader::OfThread() {
  thread_local JsonReader reader;
  return reader;
}

bool JsonReader::Begin(std::string_view json) {
  failed_ = false;
  depth_ = 0;
  path_.clear();
  what_.clear();
  if (json.empty()) return Fail("malformed JSON: the document is empty");
  if (json.size() > kMaxBytes) return Fail("the document is too large");
  size_ = json.size();
  if (capacity_ < size_ || (capacity_ > kKeepBytes && size_ <= kKeepBytes / 2)) {
    capacity_ = std::max<size_t>(size_ + size_ / 2, 16384);
    buffer_ = std::make_unique<char[]>(capacity_ + simdjson::SIMDJSON_PADDING);
    parser_ = std::make_unique<simdjson::ondemand::parser>();
    if (const auto error = parser_->allocate(capacity_)) {
      capacity_ = 0;
      return Fail(error);
    }
  }
  std::memcpy(buffer_.get(), json.data(), size_);
  std::memset(buffer_.get() + size_, 0, simdjson::SIMDJSON_PADDING);
  return true;
}

bool JsonReader::Fail(std::string_view what) {
  if (failed_) return false;
  failed_ = true;
  what_ = what;
  for (size_t i = 0; i < depth_; ++i) {
    const Segment& segment = segments_[i];
    if (segment.kind == Segment::kIndex) {
      path_ += '[' + std::to_string(segment.index) + ']';
    } else if (segment.kind == Segment::kKey) {
      path_ += '[' + base::Quoted(segment.name) + ']';
    } else {
      if (!path_.empty()) path_ += '.';
      path_ += segment.name;
    }
  }
  return false;
}

bool JsonReader::Fail(simdjson::error_code code) {
  return Fail(std::string("malformed JSON: ") + simdjson::error_message(code));
}

bool JsonReader::FailType(Value& value, std::string_view expected) {
  simdjson::ondemand::json_type type;
  if (const auto error = value.type().get(type)) return Fail(error);
  std::string what = "expected ";
  what += expected;
  what += ", found ";
  what += TypeName(type);
  return Fail(what);
}

bool JsonReader::IsNull(Value& value, bool& null) {
  if (const auto error = value.is_null().get(null)) {
    return Fail(error == simdjson::INCORRECT_TYPE ? simdjson::N_ATOM_ERROR : error);
  }
  return true;
}

bool JsonReader::Text(Value value, std::string_view& out) {
  const auto error = value.get_string().get(out);
  if (error == simdjson::SUCCESS) return true;
  bool null = false;
  if (error != simdjson::INCORRECT_TYPE) return Fail(error);
  return IsNull(value, null) && (null || FailType(value, "a string"));
}

bool JsonReader::Bool(Value value, bool& out) {
  const auto error = value.get_bool().get(out);
  if (error == simdjson::SUCCESS) return true;
  bool null = false;
  if (error != simdjson::INCORRECT_TYPE) return Fail(error);
  return IsNull(value, null) && (null || FailType(value, "a boolean"));
}

bool JsonReader::Int64(Value value, int64_t& out) {
  simdjson::ondemand::json_type type;
  if (const auto error = value.type().get(type)) return Fail(error);
  if (type == simdjson::ondemand::json_type::number) {
    return value.get_int64().get(out) == simdjson::SUCCESS || Fail("expected a whole number of 64 bits");
  }
  bool null = false;
  return IsNull(value, null) && (null || FailType(value, "a number"));
}

bool JsonReader::Int32(Value value, int32_t& out) {
  int64_t wide = out;
  if (!Int64(value, wide)) return false;
  if (wide < std::numeric_limits<int32_t>::min() || wide > std::numeric_limits<int32_t>::max()) {
    return Fail("expected a whole number of 32 bits");
  }
  out = static_cast<int32_t>(wide);
  return true;
}

bool JsonReader::Quantity(Value value, base::Quantity& out) {
  simdjson::ondemand::json_type type;
  if (const auto error = value.type().get(type)) return Fail(error);
  std::string_view text;
  if (type == simdjson::ondemand::json_type::number) {
    text = value.raw_json_token();
  } else {
    if (!Text(value, text)) return false;
    if (type == simdjson::ondemand::json_type::null) return true;
  }
  auto parsed = base::Quantity::Parse(text::Trim(text, text::kSpace));
  if (!parsed) return Fail(parsed.error().message);
  out = *parsed;
  return true;
}

bool JsonReader::Time(Value value, int64_t& out) {
  bool null = false;
  if (!IsNull(value, null) || null) return !failed_;
  std::string_view text;
  if (!Text(value, text)) return false;
  return text::ParseRfc3339(text, out) || Fail("cannot parse " + base::Quoted(text) + " as an RFC 3339 time");
}

}  // namespace berth::api
