#include "cmd/berthctl/validate/plugin_args.h"

#include "berth/testing/plugin_under_test.hpp"
#include "config/configuration/args.h"
#include "config/configuration/args_schema.h"
#include "config/configuration/args_validator.h"

namespace berth::validate {
namespace {

using sdk::testing::FakeValue;

// In-tree args: the host reads, completes, and checks them.
CompletedArgs CompleteInTree(const Subject& subject) {
  CompletedArgs completed;
  const config::FeatureGates gates;
  fields::Issues issues("--args", subject.given_args);
  completed.args = config::DecodeArgs(subject.plugin, subject.given_args, "args", issues);
  completed.errors = fields::TextsOf(issues.Take());
  config::DefaultArgs(subject.plugin, completed.args, gates);
  config::InTreeArgsValidator(gates).Check(
      subject.plugin, completed.args,
      [&](const std::string& path, const std::string& text) { completed.errors.push_back(path + ": " + text); });
  return completed;
}

CompletedArgs CompleteByPlugin(const Subject& subject, const loader::Library& library) {
  CompletedArgs completed;
  sdk::testing::PluginUnderTest tested(library.mapping().entry, subject.plugin);
  const auto answered = tested.Complete(ToFake(subject.given_args));
  completed.errors = answered.Errors();
  if (!completed.errors.empty()) return completed;
  auto parsed = json::Parse(answered.json);
  if (!parsed) {
    completed.errors.push_back("complete() handed over what is no JSON: " + parsed.error().message);
    return completed;
  }
  completed.args = std::move(*parsed);
  completed.errors = tested.Check(ToFake(completed.args)).Errors();
  (void)tested.Violations();  // BP-90 reports them
  return completed;
}

}  // namespace

FakeValue ToFake(const json::Value& value) {
  switch (value.kind()) {
    case json::Kind::kNull: return {};
    case json::Kind::kBool: return FakeValue(value.boolean());
    case json::Kind::kInt: return FakeValue(value.integer());
    case json::Kind::kNumber: return FakeValue(value.number());
    case json::Kind::kString: return FakeValue(value.string());
    case json::Kind::kArray: {
      std::vector<FakeValue> items;
      for (const json::Value& item : value.array()) items.push_back(ToFake(item));
      return FakeValue::Array(std::move(items));
    }
    case json::Kind::kObject: break;
  }
  std::vector<FakeValue::Member> members;
  for (const json::Member& member : value.object()) members.emplace_back(member.first, ToFake(member.second));
  return FakeValue::Object(std::move(members));
}

const berth_args* ArgsTableOf(const loader::Library& library, const Subject& subject) {
  const void* table = library.entry()->extension(subject.plugin.c_str(), BERTH_LIBRARY_ARGS);
  return static_cast<const berth_args*>(table);
}

CompletedArgs CompleteArgs(const Subject& subject, const loader::Library& library) {
  if (config::HasArgsType(subject.plugin)) return CompleteInTree(subject);
  if (ArgsTableOf(library, subject) != nullptr) return CompleteByPlugin(subject, library);
  return {subject.given_args, {}};
}

}  // namespace berth::validate
