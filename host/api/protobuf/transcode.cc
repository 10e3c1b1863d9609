#include "api/protobuf/transcode.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "api/protobuf/fields.h"
#include "api/protobuf/message.h"
#include "codec/json/utf8.h"
#include "codec/json/value.h"
#include "codec/text/base64.h"
#include "codec/text/duration.h"
#include "codec/text/rfc3339.h"

namespace berth::protobuf {
namespace {

// One field as it came.
struct Part {
  const Field* field = nullptr;
  std::string_view bytes;
  int64_t number = 0;  // of a varint
};

bool IsNumber(FieldType type) {
  return type == FieldType::kInt32 || type == FieldType::kInt64 || type == FieldType::kBool;
}

class Writer {
 public:
  std::string Object(const KindType& kind, std::string_view message) {
    out_ = R"({"kind":)";
    json::AppendQuoted(out_, kind.kind);
    out_ += R"(,"apiVersion":)";
    json::AppendQuoted(out_, kind.api_version);
    first_ = false;
    Members(kind.message, message);
    out_ += '}';
    RequireRoom();
    return std::move(out_);
  }

 private:
  // The fields of a message as members of the object that is open in out_.
  void Members(uint16_t type, std::string_view bytes) {
    const size_t begin = parts_.size();
    const std::span<const Field> fields = FieldsOf(type);
    Collect(fields, bytes);
    size_t at = begin;
    for (const Field& field : fields) {
      size_t end = at;
      while (end < parts_.size() && parts_[end].field == &field) ++end;
      Member(field, at, end);
      at = end;
    }
    parts_.resize(begin);
  }

  // Appends the known fields to parts_, sorted by number.
  void Collect(std::span<const Field> fields, std::string_view bytes) {
    const size_t begin = parts_.size();
    Message message(bytes);
    const Field* field = fields.data();
    bool in_order = true;
    while (message.Next()) {
      const auto* found = Find(fields, field, message.field());
      if (found == nullptr) continue;
      in_order = in_order && found >= field;
      field = found;
      Part& part = parts_.emplace_back();
      part.field = found;
      if (IsNumber(found->type) && found->shape != Shape::kMap) {
        part.number = message.Int64();
      } else {
        part.bytes = message.Bytes();
      }
    }
    const auto first = parts_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto before = [](const Part& a, const Part& b) { return a.field < b.field; };
    if (!in_order) std::stable_sort(first, parts_.end(), before);
  }

  // after: where to look first, because fields come in the order of their numbers.
  static const Field* Find(std::span<const Field> fields, const Field* after, uint32_t number) {
    const Field* end = fields.data() + fields.size();
    for (const Field* field = after; field != end && field->number <= number; ++field) {
      if (field->number == number) return field;
    }
    const Field* found =
        std::lower_bound(fields.data(), end, number, [](const Field& one, uint32_t n) { return one.number < n; });
    return found != end && found->number == number ? found : nullptr;
  }

  // parts_[begin, end): the occurrences of the field. Of a single field, the last counts.
  void Member(const Field& field, size_t begin, size_t end) {
    if (field.shape == Shape::kInline) {
      return Members(field.message, begin == end ? std::string_view() : parts_[end - 1].bytes);
    }
    if (begin == end) return Missing(field);
    switch (field.shape) {
      case Shape::kRepeated: return Array(field, begin, end);
      case Shape::kMap: return Map(field, begin, end);
      default: break;
    }
    const Part part = parts_[end - 1];
    if (field.omit_zero && IsZero(part)) return;
    Name(field.name);
    Value(field, part);
  }

  static bool IsZero(const Part& part) { return part.bytes.empty() && part.number == 0; }

  void Missing(const Field& field) {
    if (field.absent == Absent::kNothing) return;
    Name(field.name);
    if (field.absent == Absent::kNull) {
      out_ += "null";
    } else {
      Value(field, Part{&field, "", 0});
    }
  }

  void Array(const Field& field, size_t begin, size_t end) {
    Name(field.name);
    out_ += '[';
    for (size_t i = begin; i < end; ++i) {
      if (i != begin) out_ += ',';
      RequireRoom();
      const Part part = parts_[i];
      Value(field, part);
    }
    out_ += ']';
  }

  // Of several entries with a key, the last counts. Keys are compared as JSON writes them: in valid UTF-8.
  void Map(const Field& field, size_t begin, size_t end) {
    Name(field.name);
    std::vector<MapEntry> entries;
    std::deque<std::string> replaced;
    for (size_t i = begin; i < end; ++i) {
      MapEntry& entry = entries.emplace_back(EntryOf(parts_[i].bytes));
      if (!json::IsUtf8(entry.key)) entry.key = replaced.emplace_back(json::ToUtf8(entry.key));
    }
    const auto by_key = [](const MapEntry& a, const MapEntry& b) { return a.key < b.key; };
    std::stable_sort(entries.begin(), entries.end(), by_key);
    out_ += '{';
    first_ = true;
    for (size_t i = 0; i < entries.size(); ++i) {
      if (i + 1 < entries.size() && entries[i + 1].key == entries[i].key) continue;
      Name(entries[i].key);
      Value(field, Part{&field, entries[i].value, 0});
    }
    out_ += '}';
    first_ = false;
  }

  void RequireRoom() const {
    if (out_.size() > kMaxJsonBytes) throw DecodeError("the object is too large");
  }

  void Name(std::string_view name) {
    RequireRoom();
    if (!first_) out_ += ',';
    first_ = false;
    json::AppendQuoted(out_, name);
    out_ += ':';
  }

  void Value(const Field& field, const Part& part) {
    switch (field.type) {
      case FieldType::kText: return json::AppendQuoted(out_, part.bytes);
      case FieldType::kInt32: out_ += std::to_string(static_cast<int32_t>(part.number)); break;
      case FieldType::kInt64: out_ += std::to_string(part.number); break;
      case FieldType::kBool: out_ += part.number != 0 ? "true" : "false"; break;
      case FieldType::kBytes: return json::AppendQuoted(out_, text::EncodeBase64(part.bytes));
      case FieldType::kMessage: return Nested(field, part.bytes);
      case FieldType::kQuantity: return Quantity(part.bytes);
      case FieldType::kTime: return Time(part.bytes, false);
      case FieldType::kMicroTime: return Time(part.bytes, true);
      case FieldType::kDuration: return Duration(part.bytes);
      case FieldType::kIntOrString: return IntOrString(part.bytes);
      case FieldType::kRawExtension: return RawExtension(field, part.bytes);
    }
  }

  void Nested(const Field& field, std::string_view bytes) {
    RequireRoom();
    out_ += '{';
    first_ = true;
    Members(field.message, bytes);
    out_ += '}';
    first_ = false;
  }

  void Quantity(std::string_view bytes) {
    std::string_view text = "0";
    Message message(bytes);
    while (message.Next()) {
      if (message.field() == fields::Quantity::kString) text = message.Text();
    }
    json::AppendQuoted(out_, text);
  }

  // metav1.Time reads and writes no nanoseconds, metav1.MicroTime writes microseconds.
  void Time(std::string_view bytes, bool micro) {
    int64_t seconds = kGoZeroSeconds;
    int32_t nanos = 0;
    Message message(bytes);
    bool empty = true;
    while (message.Next()) {
      if (std::exchange(empty, false)) seconds = 0;
      if (message.field() == fields::Timestamp::kSeconds) seconds = message.Int64();
      if (message.field() == fields::Timestamp::kNanos) nanos = message.Int32();
    }
    if (seconds == kGoZeroSeconds && (!micro || nanos == 0)) {
      out_ += "null";
      return;
    }
    std::string text = text::UnixTimeText(seconds);
    if (micro) {
      std::string fraction = std::to_string(1'000'000 + std::clamp(nanos, 0, 999'999'999) / 1000);
      fraction.front() = '.';
      text.insert(text.size() - 1, fraction);
    }
    json::AppendQuoted(out_, text);
  }

  void Duration(std::string_view bytes) {
    int64_t ns = 0;
    Message message(bytes);
    while (message.Next()) {
      if (message.field() == fields::Duration::kDuration) ns = message.Int64();
    }
    json::AppendQuoted(out_, text::FormatDuration(std::chrono::nanoseconds(ns)));
  }

  void IntOrString(std::string_view bytes) {
    int64_t type = 0;
    int32_t number = 0;
    std::string_view text = "";
    Message message(bytes);
    while (message.Next()) {
      switch (message.field()) {
        case fields::IntOrString::kType: type = message.Int64(); break;
        case fields::IntOrString::kIntVal: number = message.Int32(); break;
        case fields::IntOrString::kStrVal: text = message.Text(); break;
      }
    }
    if (type == 0) {
      out_ += std::to_string(number);
    } else {
      json::AppendQuoted(out_, text);
    }
  }

  void RawExtension(const Field& field, std::string_view bytes) {
    std::string_view raw;
    Message message(bytes);
    while (message.Next()) {
      if (message.field() == fields::RawExtension::kRaw) raw = message.Bytes();
    }
    if (!raw.empty()) RequireJson(field, raw);
    out_ += raw.empty() ? "null" : raw;
  }

  // Somebody else's bytes, which would be part of the object's own JSON. The readers of JSON accept a repeated key.
  static void RequireJson(const Field& field, std::string_view raw) {
    std::vector<json::DuplicateKey> repeated;
    const auto value = json::ParseCollecting(raw, repeated);
    if (!value) throw DecodeError(std::string(field.name) + ": " + value.error().message);
    if (raw.starts_with("\xEF\xBB\xBF")) throw DecodeError(std::string(field.name) + ": a byte order mark");
  }

  std::string out_;
  bool first_ = true;        // the next member is the first of its object
  std::vector<Part> parts_;  // of the open messages, as a stack
};

}  // namespace

base::Result<std::string> ToJson(const KindType& kind, std::string_view message) {
  try {
    return Writer().Object(kind, message);
  } catch (const DecodeError& e) {
    return base::Fail(e.what());
  }
}

}  // namespace berth::protobuf
