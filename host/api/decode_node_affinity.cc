#include "api/decode_parts.h"

namespace berth::api {
namespace {

using Value = JsonReader::Value;

bool DecodeRequirements(JsonReader& reader, Value value, NodeAffinityDraft& draft, Range& range) {
  range.begin = static_cast<uint32_t>(draft.requirements.size());
  const bool ok = reader.Objects(
      value, [&] { draft.requirements.emplace_back(); },
      [&](std::string_view key, Value field) {
        RequirementDraft& requirement = draft.requirements.back();
        if (key == "key") return reader.Text(field, requirement.key);
        if (key == "operator") return reader.Text(field, requirement.op);
        if (key != "values") return true;
        requirement.values.begin = static_cast<uint32_t>(draft.values.size());
        const bool fine = DecodeTexts(reader, field, draft.values);
        requirement.values.end = static_cast<uint32_t>(draft.values.size());
        return fine;
      });
  range.end = static_cast<uint32_t>(draft.requirements.size());
  return ok;
}

bool DecodeTermField(JsonReader& reader, std::string_view key, Value field, NodeAffinityDraft& draft, TermDraft& term) {
  if (key == "matchExpressions") return DecodeRequirements(reader, field, draft, term.expressions);
  if (key == "matchFields") return DecodeRequirements(reader, field, draft, term.fields);
  return true;
}

bool DecodeRequired(JsonReader& reader, Value value, NodeAffinityDraft& draft) {
  bool null = false;
  if (!reader.IsNull(value, null)) return false;
  if (null) return true;
  draft.has |= BERTH_NODE_AFFINITY_REQUIRED;
  draft.required.clear();
  return reader.Object(value, [&](std::string_view key, Value terms) {
    if (key != "nodeSelectorTerms") return true;
    return reader.Objects(
        terms, [&] { draft.required.emplace_back(); },
        [&](std::string_view name, Value field) {
          return DecodeTermField(reader, name, field, draft, draft.required.back());
        });
  });
}

bool DecodePreferred(JsonReader& reader, Value value, NodeAffinityDraft& draft) {
  bool null = false;
  if (!reader.IsNull(value, null)) return false;
  if (null) return true;
  draft.has |= BERTH_NODE_AFFINITY_PREFERRED;
  draft.preferred.clear();
  return reader.Objects(
      value, [&] { draft.preferred.emplace_back(); },
      [&](std::string_view key, Value field) {
        PreferredDraft& preferred = draft.preferred.back();
        if (key == "weight") return reader.Int32(field, preferred.weight);
        if (key != "preference") return true;
        return reader.Object(field, [&](std::string_view name, Value list) {
          return DecodeTermField(reader, name, list, draft, preferred.term);
        });
      });
}

}  // namespace

bool DecodeNodeAffinity(JsonReader& reader, Value value, NodeAffinityDraft& draft) {
  return reader.Object(value, [&](std::string_view key, Value field) {
    if (key == "requiredDuringSchedulingIgnoredDuringExecution") return DecodeRequired(reader, field, draft);
    if (key == "preferredDuringSchedulingIgnoredDuringExecution") return DecodePreferred(reader, field, draft);
    return true;
  });
}

}  // namespace berth::api
