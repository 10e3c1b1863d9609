#include "api/encode/parts.h"

#include <string>

namespace berth::encode {
namespace {

std::string AmountText(const api::InternTables& intern, const berth_amount& amount) {
  if (amount.name != intern.cpu) return std::to_string(amount.value);
  return amount.value % 1000 == 0 ? std::to_string(amount.value / 1000) : std::to_string(amount.value) + "m";
}

}  // namespace

void SetText(json::Value& object, std::string_view key, std::string_view text) {
  if (!text.empty()) object.Set(key, text);
}

void SetFilled(json::Value& object, std::string_view key, json::Value value) {
  if (!value.array().empty() || !value.object().empty()) object.Set(key, std::move(value));
}

json::Value Texts(const api::InternTables& intern, const berth_list& ids) {
  return Mapped<berth_id>(ids, [&](berth_id id) { return json::Value(intern.ids.Text(id)); });
}

json::Value Pairs(const api::InternTables& intern, const berth_list& pairs) {
  json::Value out = json::Value::MakeObject();
  ForEach<berth_kv>(pairs, [&](const berth_kv& kv) { out.Set(intern.ids.Text(kv.key), intern.ids.Text(kv.value)); });
  return out;
}

json::Value Amounts(const api::InternTables& intern, const berth_list& amounts) {
  json::Value out = json::Value::MakeObject();
  ForEach<berth_amount>(amounts,
                        [&](const berth_amount& one) { out.Set(intern.ids.Text(one.name), AmountText(intern, one)); });
  return out;
}

}  // namespace berth::encode
