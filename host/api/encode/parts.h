// Encoding of the parts that pods and nodes have in common. Thread: any.
#pragma once

#include <string_view>

#include "api/encode/encode.h"
#include "codec/json/value.h"

namespace berth::encode {

// Calls fn(record) for each record of a list.
template <class T, class Fn>
void ForEach(const berth_list& list, Fn&& fn) {
  for (uint32_t i = 0; i < list.n; ++i) fn(*BERTH_AT(list, T, i));
}
// An array of fn(record) -> json::Value for each record.
template <class T, class Fn>
json::Value Mapped(const berth_list& list, Fn&& fn) {
  json::Value out{json::Array()};
  ForEach<T>(list, [&](const T& record) { out.Append(fn(record)); });
  return out;
}

// Sets the text unless it is "".
void SetText(json::Value& object, std::string_view key, std::string_view text);
// Sets the array or object unless it is empty.
void SetFilled(json::Value& object, std::string_view key, json::Value value);

json::Value Texts(const IdText& text_of, const berth_list& ids);        // berth_id
json::Value Pairs(const IdText& text_of, const berth_list& pairs);      // berth_kv
json::Value Amounts(const IdText& text_of, const berth_list& amounts);  // berth_amount, as a v1.ResourceList
json::Value Ports(const IdText& text_of, const berth_list& ports);      // berth_host_port, of a container

// Entries of matchExpressions and matchFields: berth_node_requirement, berth_label_requirement.
template <class Requirement>
json::Value Requirements(const IdText& text_of, const berth_list& list) {
  return Mapped<Requirement>(list, [&](const Requirement& one) {
    json::Value value = json::Value::MakeObject({{"key", text_of(one.key)}, {"operator", text_of(one.op)}});
    SetFilled(value, "values", Texts(text_of, one.values));
    return value;
  });
}

}  // namespace berth::encode
