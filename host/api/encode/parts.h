// Encoding of the parts that pods and nodes have in common. Thread: any.
#pragma once

#include <string_view>

#include "api/intern_tables.h"
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

json::Value Texts(const api::InternTables& intern, const berth_list& ids);        // berth_id
json::Value Pairs(const api::InternTables& intern, const berth_list& pairs);      // berth_kv
json::Value Amounts(const api::InternTables& intern, const berth_list& amounts);  // berth_amount, as a v1.ResourceList

// Entries of matchExpressions and matchFields: berth_node_requirement, berth_label_requirement.
template <class Requirement>
json::Value Requirements(const api::InternTables& intern, const berth_list& list) {
  return Mapped<Requirement>(list, [&](const Requirement& one) {
    json::Value value =
        json::Value::MakeObject({{"key", intern.ids.Text(one.key)}, {"operator", intern.ids.Text(one.op)}});
    SetFilled(value, "values", Texts(intern, one.values));
    return value;
  });
}

}  // namespace berth::encode
