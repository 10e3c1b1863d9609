// Rules about args: BP-90 and BP-91.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cmd/berthctl/validate/checks.h"
#include "cmd/berthctl/validate/plugin_args.h"
#include "cmd/berthctl/validate/test_host.h"
#include "config/configuration/args_schema.h"

namespace berth::validate {
namespace {

using sdk::testing::PluginUnderTest;

struct Checked {
  std::string json;
  std::vector<std::string> errors;
};

// As the host does: complete(), and then check().
Checked CheckedBy(PluginUnderTest& tested, const json::Value& args) {
  const auto completed = tested.Complete(ToFake(args));
  if (!completed.errors.empty()) return {completed.json, completed.Errors()};
  const auto parsed = json::Parse(completed.json);
  if (!parsed) return {completed.json, {}};
  return {completed.json, tested.Check(ToFake(*parsed)).Errors()};
}

bool IsObject(const std::string& json) {
  const auto parsed = json::Parse(json);
  return parsed && parsed->is_object();
}

// A value of another type than the member's.
json::Value AnotherKind(const json::Value& value) {
  if (value.is_string()) return 7;
  return value.is_object() || value.is_array() ? json::Value("text") : json::Value(json::Array{"a"});
}

struct WrongArgs {
  std::string what;
  json::Value args;
  bool must_be_refused;
};

std::vector<WrongArgs> WrongArgsFrom(const json::Value& right) {
  std::vector<WrongArgs> all;
  const auto with = [&](const std::string& key, json::Value value) {
    json::Value args = right.is_object() ? right : json::Value::MakeObject();
    args.Set(key, std::move(value));
    return args;
  };
  all.push_back({"an unknown field", with("noSuchField", 1), true});
  for (const json::Member& member : right.object()) {
    if (member.second.is_null()) continue;
    all.push_back({"another kind of value for " + member.first, with(member.first, AnotherKind(member.second)), true});
    all.push_back({"invalid UTF-8 for " + member.first, with(member.first, "\xff\xfe\xc0"), false});
    all.push_back({"a text of 1 MiB for " + member.first, with(member.first, std::string(1 << 20, 'a')), false});
    all.push_back({"an array of objects for " + member.first,
                   with(member.first, json::Array(1000, json::Value::MakeObject({{"", json::Value()}}))), false});
  }
  all.push_back({"an invalid key", with("\xff\xfe", 1), true});
  all.push_back({"a text instead of an object", "text", true});
  all.push_back({"an array instead of an object", json::Array{1}, true});
  json::Value deep;
  for (int i = 0; i < 200; ++i) deep = json::Value::MakeObject({{"a", std::move(deep)}});
  all.push_back({"objects in objects, 200 deep", std::move(deep), true});
  return all;
}

}  // namespace

void CheckArgsValidator(const Subject& subject, Findings& findings) {
  const auto library = Open(subject);
  const bool offered = ArgsTableOf(*library, subject) != nullptr;
  if (offered != subject.noted().args) {
    findings.Fail(offered ? "checks args, which its note does not say: it is never asked"
                          : "its note says that it checks args, and it does not");
  }
  if (!offered) return findings.NotApplicable("the plugin does not check args itself");
  PluginUnderTest plugin(library->mapping().entry, subject.plugin);
  findings.Step("completing the given args");
  const Checked first = CheckedBy(plugin, subject.given_args);
  if (first.errors.empty() && !IsObject(first.json)) {
    findings.Fail("complete() told of no error and did not hand over one JSON object, but " +
                  base::Quoted(first.json.substr(0, 80)));
  } else if (first.errors.empty()) {
    findings.Step("completing what is complete");
    const Checked again = CheckedBy(plugin, *json::Parse(first.json));
    if (again.json != first.json) findings.Fail("completing what is complete changes it: " + again.json);
  }
  for (const WrongArgs& wrong : WrongArgsFrom(json::Parse(first.json).value_or(json::Value()))) {
    findings.Step("judging " + wrong.what);
    const Checked checked = CheckedBy(plugin, wrong.args);
    if (wrong.must_be_refused && checked.errors.empty()) findings.Fail("accepts " + wrong.what);
    for (const std::string& error : checked.errors) {
      if (error.empty()) findings.Fail("refuses " + wrong.what + " without a text");
    }
  }
  findings.FailAll(plugin.Violations());
}

void CheckWrongArgs(const Subject& subject, Findings& findings) {
  const auto library = Open(subject);
  const CompletedArgs right = CompleteArgs(subject, *library);
  for (const WrongArgs& wrong : WrongArgsFrom(right.args)) {
    findings.Step("init with " + wrong.what);
    TestHost rig(subject, library);
    rig.Args(ToFake(wrong.args));
    const auto outcome = rig.Start();
    rig.Stop();
    if (outcome.code == BERTH_ERROR && base::Join(outcome.reasons, "").empty()) {
      findings.Fail("init with " + wrong.what + " answers ERROR without saying why");
    } else if (!outcome.ok() && outcome.code != BERTH_ERROR) {
      findings.Fail("init with " + wrong.what + " answers " + sdk::testing::CodeName(outcome.code));
    }
  }
}

}  // namespace berth::validate
