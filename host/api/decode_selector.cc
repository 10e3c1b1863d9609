#include "api/decode_parts.h"
#include "api/decode_pod.h"

namespace berth::api {
namespace {

using Value = JsonReader::Value;

bool DecodeExpressions(JsonReader& reader, Value value, SelectorPool& pool, Range& range) {
  range.begin = static_cast<uint32_t>(pool.requirements.size());
  const bool ok = reader.Objects(
      value, [&] { pool.requirements.emplace_back(); },
      [&](std::string_view key, Value field) {
        RequirementDraft& requirement = pool.requirements.back();
        if (key == "key") return reader.Text(field, requirement.key);
        if (key == "operator") return reader.Text(field, requirement.op);
        return key != "values" || DecodeTexts(reader, field, pool.texts, requirement.values);
      });
  range.end = static_cast<uint32_t>(pool.requirements.size());
  return ok;
}

}  // namespace

bool DecodeTexts(JsonReader& reader, Value value, std::vector<std::string_view>& pool, Range& range) {
  range.begin = static_cast<uint32_t>(pool.size());
  const bool ok = DecodeTexts(reader, value, pool);
  range.end = static_cast<uint32_t>(pool.size());
  return ok;
}

bool DecodeSelector(JsonReader& reader, Value value, SelectorPool& pool, SelectorDraft& draft) {
  bool null = false;
  draft = {};
  if (!reader.IsNull(value, null) || null) return null;
  draft.set = true;
  return reader.Object(value, [&](std::string_view key, Value field) {
    if (key == "matchExpressions") return DecodeExpressions(reader, field, pool, draft.expressions);
    if (key != "matchLabels") return true;
    const auto begin = static_cast<uint32_t>(pool.labels.size());
    const bool ok = reader.Map(field, [&](std::string_view name, Value text) {
      pool.labels.push_back({name, {}});
      return reader.Text(text, pool.labels.back().value);
    });
    draft.labels = SortUniqueTail(pool.labels, begin);
    return ok;
  });
}

}  // namespace berth::api
