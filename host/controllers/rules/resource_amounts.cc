#include "controllers/rules/resource_amounts.h"

#include <algorithm>

namespace berth::rules {

void Add(Amounts& to, const Amounts& more) {
  for (const auto& [name, amount] : more) {
    Amount& sum = to[name];
    if (sum.quantity.IsZero()) sum.format = amount.format;
    sum.quantity += amount.quantity;
  }
}

void RaiseTo(Amounts& to, const Amounts& other) {
  for (const auto& [name, amount] : other) {
    const auto [at, fresh] = to.try_emplace(name, amount);
    if (!fresh && at->second.quantity < amount.quantity) at->second = amount;
  }
}

bool Equal(const Amounts& a, const Amounts& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.quantity == y.second.quantity;
  });
}

base::Result<Amounts> AmountsAt(const json::Value& object, const char* path) {
  Amounts amounts;
  const json::Value* list = object.FindPath(path);
  if (list == nullptr) return amounts;
  for (const auto& [name, value] : list->object()) {
    const std::string text = value.is_number() ? json::NumberText(value) : value.string();
    const auto quantity = base::Quantity::Parse(text);
    if (!quantity) return base::Fail(std::string(path) + "[" + name + "]: " + quantity.error().message);
    amounts[name] = {*quantity, text::FormatOfQuantity(text)};
  }
  return amounts;
}

}  // namespace berth::rules
