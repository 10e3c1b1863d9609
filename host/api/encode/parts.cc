#include "api/encode/parts.h"

#include <string>

namespace berth::encode {
namespace {

std::string AmountText(const IdText& text_of, const berth_amount& amount) {
  if (text_of(amount.name) != "cpu") return std::to_string(amount.value);
  return amount.value % 1000 == 0 ? std::to_string(amount.value / 1000) : std::to_string(amount.value) + "m";
}

}  // namespace

void SetText(json::Value& object, std::string_view key, std::string_view text) {
  if (!text.empty()) object.Set(key, text);
}

void SetFilled(json::Value& object, std::string_view key, json::Value value) {
  if (!value.array().empty() || !value.object().empty()) object.Set(key, std::move(value));
}

json::Value Texts(const IdText& text_of, const berth_list& ids) {
  return Mapped<berth_id>(ids, [&](berth_id id) { return json::Value(text_of(id)); });
}

json::Value Pairs(const IdText& text_of, const berth_list& pairs) {
  json::Value out = json::Value::MakeObject();
  ForEach<berth_kv>(pairs, [&](const berth_kv& kv) { out.Set(text_of(kv.key), text_of(kv.value)); });
  return out;
}

json::Value Ports(const IdText& text_of, const berth_list& list) {
  return Mapped<berth_host_port>(list, [&](const berth_host_port& one) {
    json::Value out = json::Value::MakeObject({{"containerPort", one.port}, {"hostPort", one.port}});
    SetText(out, "hostIP", text_of(one.ip));
    SetText(out, "protocol", text_of(one.protocol));
    return out;
  });
}

json::Value Amounts(const IdText& text_of, const berth_list& amounts) {
  json::Value out = json::Value::MakeObject();
  ForEach<berth_amount>(amounts,
                        [&](const berth_amount& one) { out.Set(text_of(one.name), AmountText(text_of, one)); });
  return out;
}

}  // namespace berth::encode
