// Args: one function reads and checks them strictly, and passes the result to the instance.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "entries.h"

namespace berth::sdk::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Args {
  struct Resource {
    std::string name;
    int64_t weight = 1;
  };
  std::string type = "LeastAllocated";
  std::vector<Resource> resources;
  std::vector<std::string> ignored;
  std::optional<int32_t> limit;
  bool strict = false;
  double factor = 1;
  Value raw;
  const berth_node_affinity* affinity = nullptr;
  bool selects = false;

  static Args Read(ArgsReader& in) {
    Args args;
    in.Name("TestArgs");
    ArgsReader strategy = in.Object("strategy", "Strategy");
    strategy.Get("type", args.type, "v1.StrategyType");
    if (args.type != "LeastAllocated" && args.type != "MostAllocated") {
      strategy.Unsupported("type", args.type, {"LeastAllocated", "MostAllocated"});
    }
    strategy.Each(
        "resources",
        [&](ArgsReader& item, uint32_t) {
          Resource one;
          item.Get("name", one.name);
          item.Get("weight", one.weight);
          if (one.name.empty()) item.Required("name", "can not be empty");
          item.Check(one.weight >= 1 && one.weight <= 100, "weight", one.weight, "not in valid range [1-100]");
          for (const Resource& before : args.resources) {
            if (before.name == one.name) item.Duplicate("name", one.name);
          }
          args.resources.push_back(one);
        },
        "ResourceSpec");
    in.Get("ignored", args.ignored);
    in.Get("limit", args.limit);
    in.Get("strict", args.strict);
    in.Get("factor", args.factor);
    if (args.strict && args.limit) in.Forbidden("limit", "must be nil when strict");
    args.raw = in.Raw("raw");
    args.affinity = in.NodeAffinityAt("addedAffinity");
    args.selects = static_cast<bool>(in.LabelSelectorAt("selector"));
    return args;
  }
  void Write(JsonWriter& out) const {
    out.BeginObject("strategy");
    out.Field("type", type);
    out.BeginArray("resources");
    for (const Resource& one : resources) {
      out.BeginObject();
      out.Field("name", one.name);
      out.Field("weight", one.weight);
      out.EndObject();
    }
    out.EndArray();
    out.EndObject();
    out.Field("ignored", ignored);
    out.Field("limit", limit);
    out.Field("strict", strict);
    out.Field("factor", factor);
    if (raw) out.Field("raw", raw);
  }
};

struct WithArgs {
  static constexpr Info kInfo{.name = "withArgs"};
  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { Args::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { Args::Read(in); }
  explicit WithArgs(Host& host) : args(ReadArgs<Args>(host)) { last() = args; }
  static Args& last() {
    static Args last;
    return last;
  }
  Args args;
};

using O = FakeValue;
FakeValue Strategy(FakeValue::Member member) { return O::Object({{"strategy", O::Object({std::move(member)})}}); }

class ArgsTest : public ::testing::Test {
 protected:
  PluginUnderTest plugin = TestPlugin<WithArgs>();
};

TEST_F(ArgsTest, DefaultsAreWrittenOut) {
  const std::string defaults =
      R"({"strategy":{"type":"LeastAllocated","resources":[]},"ignored":[],"strict":false,"factor":1})";
  EXPECT_EQ(plugin.Complete(FakeValue()).json, defaults);
  EXPECT_EQ(plugin.Complete(O::Object()).json, defaults);
  EXPECT_EQ(plugin.Complete(O::Object({{"strategy", FakeValue()}, {"strict", FakeValue()}})).json, defaults)
      << "null counts as absent";
}

TEST_F(ArgsTest, WhatIsGivenIsKept) {
  const FakeValue given =
      O::Object({{"apiVersion", "example.org/v1"},
                 {"kind", "TestArgs"},
                 {"strategy", O::Object({{"type", "MostAllocated"},
                                         {"resources", O::Array({O::Object({{"name", "cpu"}, {"weight", 3}}),
                                                                 O::Object({{"name", "memory"}})})}})},
                 {"ignored", O::Array({"a", "b\"\n"})},
                 {"limit", 7},
                 {"factor", 0.25},
                 {"raw", O::Object({{"any", O::Array({1, 2.5, true, FakeValue(), "x"})}})}});
  const ArgsOutcome outcome = plugin.Complete(given);
  EXPECT_THAT(outcome.Errors(), IsEmpty());
  EXPECT_EQ(
      outcome.json,
      R"({"strategy":{"type":"MostAllocated","resources":[{"name":"cpu","weight":3},{"name":"memory","weight":1}]},)"
      R"("ignored":["a","b\"\u000a"],"limit":7,"strict":false,"factor":0.25,)"
      R"("raw":{"any":[1,2.5,true,null,"x"]}})");
}

TEST_F(ArgsTest, UnknownFieldsInTheDocumentsOrder) {
  EXPECT_THAT(plugin
                  .Complete(O::Object({{"Strict", true},
                                       {"strategy", O::Object({{"kind", "x"},
                                                               {"resources", O::Array({O::Object({{"Name", "cpu"}}),
                                                                                       O::Object({{"Weight", 1}})})}})},
                                       {"zeta", 1}}))
                  .Errors(),
              ElementsAre("Strict: unknown field \"Strict\"", "strategy.kind: unknown field \"kind\"",
                          "strategy.resources[0].Name: unknown field \"Name\"",
                          "strategy.resources[1].Weight: unknown field \"Weight\"", "zeta: unknown field \"zeta\""));
}

TEST_F(ArgsTest, UnknownFieldsYieldNoJson) { EXPECT_EQ(plugin.Complete(O::Object({{"x", 1}})).json, ""); }

TEST_F(ArgsTest, WrongTypesReadLikeGos) {
  const auto error = [this](const FakeValue& args) {
    const auto errors = plugin.Complete(args).Errors();
    return errors.size() == 1 ? errors[0] : std::to_string(errors.size()) + " errors";
  };
  EXPECT_EQ(error(O::Object({{"strict", "yes"}})),
            "strict: json: cannot unmarshal string into Go struct field TestArgs.strict of type bool");
  EXPECT_EQ(error(O::Object({{"limit", int64_t{1} << 40}})),
            "limit: json: cannot unmarshal number 1099511627776 into Go struct field TestArgs.limit of type int32");
  EXPECT_EQ(error(O::Object({{"limit", 1.5}})),
            "limit: json: cannot unmarshal number 1.5 into Go struct field TestArgs.limit of type int32");
  EXPECT_EQ(error(O::Object({{"ignored", "a"}})),
            "ignored: json: cannot unmarshal string into Go struct field TestArgs.ignored of type []string");
  EXPECT_EQ(error(O::Object({{"ignored", O::Array({"a", 3})}})),
            "ignored: json: cannot unmarshal number into Go struct field TestArgs.ignored of type string");
  EXPECT_EQ(error(O::Object({{"strategy", 3}})),
            "strategy: json: cannot unmarshal number into Go struct field TestArgs.strategy of type v1.Strategy");
  EXPECT_EQ(error(Strategy({"type", 3})),
            "strategy.type: json: cannot unmarshal number into Go struct field Strategy.strategy.type of type "
            "v1.StrategyType");
  EXPECT_EQ(error(Strategy({"resources", O::Object()})),
            "strategy.resources: json: cannot unmarshal object into Go struct field Strategy.strategy.resources of "
            "type []v1.ResourceSpec");
  EXPECT_EQ(error(Strategy({"resources", O::Array({"cpu"})})),
            "strategy.resources[0]: json: cannot unmarshal string into Go struct field Strategy.strategy.resources of "
            "type v1.ResourceSpec");
  EXPECT_EQ(error(Strategy({"resources", O::Array({O::Object({{"weight", "1"}})})})),
            "strategy.resources[0].weight: json: cannot unmarshal string into Go struct field "
            "ResourceSpec.strategy.resources.weight of type int64");
  EXPECT_EQ(error(O::Array({})), "json: cannot unmarshal array into the args, which are an object");
}

TEST_F(ArgsTest, EverythingWrongIsToldAtItsPlace) {
  EXPECT_THAT(plugin.Complete(O::Object({{"unknown", 1}, {"factor", "x"}, {"strict", 3}})).Errors(),
              ElementsAre("unknown: unknown field \"unknown\"",
                          "factor: json: cannot unmarshal string into Go struct field TestArgs.factor of type float64",
                          "strict: json: cannot unmarshal number into Go struct field TestArgs.strict of type bool"));
}

TEST_F(ArgsTest, DecodingDoesNotJudgeAndJudgingDoesNotDecode) {
  EXPECT_THAT(plugin.Complete(Strategy({"type", "Other"})).Errors(), IsEmpty());
  EXPECT_THAT(plugin.Check(O::Object({{"unknown", 1}})).Errors(), IsEmpty());
}

TEST_F(ArgsTest, JudgementsCarryPathsAndKubernetesTexts) {
  EXPECT_THAT(
      plugin
          .Check(O::Object(
              {{"strategy",
                O::Object({{"type", "Other\"s"},
                           {"resources", O::Array({O::Object({{"name", "cpu"}, {"weight", 101}}),
                                                   O::Object({{"weight", 0}}), O::Object({{"name", "cpu"}})})}})},
               {"limit", 1},
               {"strict", true}}))
          .Errors(),
      ElementsAre(
          R"(strategy.type: Unsupported value: "Other\"s": supported values: "LeastAllocated", "MostAllocated")",
          "strategy.resources[0].weight: Invalid value: 101: not in valid range [1-100]",
          "strategy.resources[1].name: Required value: can not be empty",
          "strategy.resources[1].weight: Invalid value: 0: not in valid range [1-100]",
          "strategy.resources[2].name: Duplicate value: \"cpu\"", "limit: Forbidden: must be nil when strict"));
}

TEST_F(ArgsTest, SelectorErrorsStandBelowTheirField) {
  const FakeValue term = O::Object({{"matchExpressions", O::Array({O::Object({{"key", "a"}, {"operator", "Like"}})})}});
  EXPECT_THAT(
      plugin
          .Check(O::Object({{"addedAffinity", O::Object({{"requiredDuringSchedulingIgnoredDuringExecution",
                                                          O::Object({{"nodeSelectorTerms", O::Array({term})}})}})},
                            {"selector", term}}))
          .Errors(),
      ElementsAre("addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]."
                  "matchExpressions[0].operator: Invalid value: \"Like\": not a valid selector operator",
                  "selector.matchExpressions[0].operator: Invalid value: \"Like\": not a valid selector operator"));
}

TEST_F(ArgsTest, TheInstanceReadsItsArgs) {
  plugin.Args(O::Object({{"limit", 9}, {"ignored", O::Array({"x"})}}));
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(WithArgs::last().limit, 9);
  EXPECT_THAT(WithArgs::last().ignored, ElementsAre("x"));
}

TEST_F(ArgsTest, TheInstanceRefusesWrongTypes) {
  plugin.Args(O::Object({{"limit", "nine"}}));
  EXPECT_EQ(plugin.Start(),
            (Outcome{BERTH_ERROR,
                     {"plugin withArgs: init threw: args: json: cannot unmarshal string into Go struct field "
                      "TestArgs.limit of type int32"}}));
}

struct OfOneKind {
  static constexpr Info kInfo{.name = "ofOneKind"};
  static void Read(ArgsReader& in) {
    std::string kind;
    if (in.Get("kind", kind) && kind != "One") in.Malformed("kind", "is not One");
    in.Object("nested").Malformed("[0]", "is refused");
  }
  static void CompleteArgs(ArgsReader& in, JsonWriter&) { Read(in); }
  static void CheckArgs(ArgsReader& in) { Read(in); }
  explicit OfOneKind(Host& host) {
    detail::ReadDocument(host, host.Args(), ArgsMode::kTrust, [](ArgsReader& in) { Read(in); });
  }
};

TEST(MalformedArgsTest, AreRefusedWhenTheyAreDecodedAndNotLater) {
  PluginUnderTest plugin = TestPlugin<OfOneKind>();
  const FakeValue args = O::Object({{"kind", "Two"}, {"unknown", 1}});
  EXPECT_THAT(plugin.Complete(args).Errors(),
              ElementsAre("unknown: unknown field \"unknown\"", "kind: is not One", "nested.[0]: is refused"));
  EXPECT_EQ(plugin.Complete(args).json, "");
  EXPECT_THAT(plugin.Check(args).Errors(), IsEmpty());
  plugin.Args(args);
  EXPECT_TRUE(plugin.Start().ok());
}

TEST(MalformedArgsTest, AKindOfAnotherTypeReadsLikeGos) {
  EXPECT_THAT(
      TestPlugin<OfOneKind>().Complete(O::Object({{"kind", 1}})).Errors(),
      ElementsAre("kind: json: cannot unmarshal number into field \"kind\" of type string", "nested.[0]: is refused"));
}

TEST(JsonWriterTest, NumbersAndTexts) {
  JsonWriter out;
  out.BeginObject();
  out.Field("min", std::numeric_limits<int64_t>::min());
  out.Field("tenth", 0.1);
  out.Field("text", "tab\tquote\"back\\slash \xc3\xa9");
  out.Field("list", std::vector<int32_t>{1, 2});
  out.Field("bools", std::vector<bool>{true, false});
  out.EndObject();
  EXPECT_EQ(out.text(),
            "{\"min\":-9223372036854775808,\"tenth\":0.1,\"text\":\"tab\\u0009quote\\\"back\\\\slash \xc3\xa9\","
            "\"list\":[1,2],\"bools\":[true,false]}");
  EXPECT_THROW(out.Field("inf", std::numeric_limits<double>::infinity()), std::invalid_argument);
}

}  // namespace
}  // namespace berth::sdk::testing
