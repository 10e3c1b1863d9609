#include "config/flags/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace berth::flags {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using Texts = std::vector<std::string>;

// A component with one flag of each kind.
struct Component {
  std::string config = "none";
  int verbosity = 0;
  bool elect = true;
  Texts dirs;
  Parser parser{"scheduler", "Schedules.", Manner::kComponent};
  std::ostringstream out, err;

  Component() {
    parser.root().Add({.name = "config", .value = Text(config), .help = "a file", .group = "Misc"});
    parser.root().Add({.name = "v", .letter = 'v', .value = Level(verbosity), .help = "verbosity", .group = "Logs"});
    parser.root().Add({.name = "leader-elect", .value = Bool(elect), .help = "elect", .group = "Leader election"});
    parser.root().Add({.name = "dir", .value = Repeated(dirs), .help = "a directory"});
  }
  std::optional<int> Parse(const Texts& arguments) { return parser.Parse(arguments, out, err); }
  std::string Mistake(const Texts& arguments) {
    EXPECT_EQ(Parse(arguments), 1);
    EXPECT_EQ(out.str(), "");
    EXPECT_THAT(err.str(), StartsWith("Schedules.\nUsage: scheduler"));
    return err.str().substr(err.str().rfind("Error: "));
  }
};

TEST(Component, TheLastOccurrenceWins) {
  Component c;
  EXPECT_EQ(c.Parse({"--config=a", "-v=1", "--leader_elect=false", "-v", "2", "--config", "b", "--v=3", "-v4"}),
            std::nullopt);
  EXPECT_EQ(c.config, "b");
  EXPECT_EQ(c.verbosity, 4);
  EXPECT_FALSE(c.elect);
  EXPECT_EQ(c.err.str(), "");
}

TEST(Component, KnowsChangedFlags) {
  Component c;
  EXPECT_EQ(c.Parse({"--leader-elect", "--config=none"}), std::nullopt);
  const Command& root = c.parser.root();
  EXPECT_TRUE(root.Changed("leader-elect"));
  EXPECT_TRUE(root.Changed("config")) << "although the value is the same";
  EXPECT_FALSE(root.Changed("v"));
  EXPECT_FALSE(root.Changed("nothing"));
  const auto states = root.States();
  ASSERT_EQ(states.size(), 4u);
  EXPECT_EQ(states[0].name, "config");
  EXPECT_EQ(states[0].text, "none");
  EXPECT_TRUE(states[0].changed);
  EXPECT_EQ(states[3].name, "v");
  EXPECT_EQ(states[3].text, "0");
}

TEST(Component, AFlagTakesAnyValue) {
  Component c;
  EXPECT_EQ(c.Parse({"--config", "--v=1", "--dir=[a,b]", "--dir", "", "--dir=c"}), std::nullopt);
  EXPECT_EQ(c.config, "--v=1");
  EXPECT_EQ(c.dirs, (Texts{"[a,b]", "", "c"}));
}

TEST(Component, AnEmptyValueIsAValue) {
  Component c;
  EXPECT_EQ(c.Parse({"--config=", "--v=2"}), std::nullopt);
  EXPECT_EQ(c.config, "");
  EXPECT_EQ(c.verbosity, 2);
}

TEST(Component, PrintsErrorsAfterTheUsage) {
  EXPECT_EQ(Component().Mistake({"--nope=3"}), "Error: unknown flag: --nope\n");
  EXPECT_EQ(Component().Mistake({"x", "--no_pe=a_b"}), "Error: unknown flag: --no_pe\n");
  EXPECT_EQ(Component().Mistake({"-x"}), "Error: unknown shorthand flag: 'x' in -x\n");
  EXPECT_EQ(Component().Mistake({"---x"}), "Error: bad flag syntax: ---x\n");
  EXPECT_EQ(Component().Mistake({"--=x"}), "Error: bad flag syntax: --=x\n");
  EXPECT_EQ(Component().Mistake({"--="}), "Error: bad flag syntax: --=\n");
  EXPECT_EQ(Component().Mistake({"--config"}), "Error: flag needs an argument: --config\n");
  EXPECT_EQ(Component().Mistake({"--v=x"}),
            "Error: invalid argument \"x\" for \"-v, --v\" flag: strconv.ParseUint: parsing \"x\": invalid syntax\n");
  EXPECT_EQ(
      Component().Mistake({"--leader-elect="}),
      "Error: invalid argument \"\" for \"--leader-elect\" flag: strconv.ParseBool: parsing \"\": invalid syntax\n");
  EXPECT_EQ(
      Component().Mistake({"--leader-elect=maybe", "--leader-elect=true"}),
      "Error: invalid argument \"maybe\" for \"--leader-elect\" flag: strconv.ParseBool: parsing \"maybe\": invalid "
      "syntax\n");
}

TEST(Component, TakesNoArguments) {
  for (const Texts& arguments : {Texts{"x", "y"}, Texts{"--", "x", "y"}, Texts{"x", "--leader-elect", "--", "y"}}) {
    Component c;
    EXPECT_EQ(c.Parse(arguments), 1);
    EXPECT_EQ(c.err.str(), "Error: \"scheduler\" does not take any arguments, got [\"x\" \"y\"]\n");
  }
  Component dashes;
  EXPECT_EQ(dashes.Parse({"--", "--nope"}), 1);
  EXPECT_EQ(dashes.err.str(), "Error: \"scheduler\" does not take any arguments, got [\"--nope\"]\n");
  Component c;
  EXPECT_EQ(c.Parse({"--leader-elect", "false"}), 1);
  EXPECT_EQ(c.err.str(), "Error: \"scheduler\" does not take any arguments, got [\"false\"]\n");
  EXPECT_EQ(Component().Parse({""}), std::nullopt);
  EXPECT_EQ(Component().Parse({"-"}), 1);
}

TEST(Component, HelpShowsGroupsAndDefaults) {
  Component c;
  EXPECT_EQ(c.Parse({"--help"}), 0);
  EXPECT_EQ(c.err.str(), "");
  EXPECT_THAT(c.out.str(), HasSubstr("Misc:\n"));
  EXPECT_THAT(c.out.str(), HasSubstr("a file (default \"none\")"));
  EXPECT_THAT(c.out.str(), HasSubstr("elect (default true)"));
  EXPECT_THAT(c.out.str(), Not(HasSubstr("(default 0)")));
}

// A tool with a subcommand of each kind.
struct Tool {
  int verbosity = 0;
  Texts files, names;
  std::string ran;
  Parser parser{"tool", "Does things.", Manner::kTool};
  std::ostringstream out, err;

  Tool() {
    parser.AnswerVersion("tool 1.2");
    Command& root = parser.root();
    root.Add({.name = "v", .letter = 'v', .value = Level(verbosity), .help = "verbosity"});
    Command& read = root.AddSubcommand("read", "reads files");
    read.Add(
        {.name = "filename", .letter = 'f', .value = Repeated(files, Takes::kMany), .help = "files", .required = true});
    read.OnRun([this] { return Ran("read"); });
    Command& name = root.AddSubcommand("name", "names things");
    Command& one = name.AddSubcommand("one", "names one");
    one.AddArguments("NAME", names, "a name", false);
    one.OnRun([this] { return Ran("one"); });
    Command& many = name.AddSubcommand("many", "names many");
    many.AddArguments("NAME", names, "names", true);
    many.OnRun([this] { return Ran("many"); });
  }
  int Ran(const std::string& what) {
    ran = what;
    return 7;
  }
  std::optional<int> Parse(const Texts& arguments) { return parser.Parse(arguments, out, err); }
  std::string Mistake(const Texts& arguments) {
    EXPECT_EQ(Parse(arguments), 1);
    EXPECT_EQ(ran, "");
    EXPECT_THAT(err.str(), EndsWith("\nRun with --help for more information.\n"));
    return err.str().substr(0, err.str().find('\n'));
  }
};

TEST(Tool, RunsTheSubcommand) {
  Tool t;
  EXPECT_EQ(t.Parse({"read", "-f", "a", "b", "-v=3", "-f=c", "--filename=d"}), std::nullopt);
  EXPECT_EQ(t.ran, "") << "only Run runs it";
  EXPECT_EQ(t.parser.Run(), 7);
  EXPECT_EQ(t.ran, "read");
  EXPECT_EQ(t.files, (Texts{"a", "b", "c", "d"}));
  EXPECT_EQ(t.verbosity, 3);
}

TEST(Tool, RunsTheInnermostSubcommand) {
  Tool t;
  EXPECT_EQ(t.Parse({"name", "many", "a", "b"}), std::nullopt);
  EXPECT_EQ(t.parser.Run(), 7);
  EXPECT_EQ(t.ran, "many");
  EXPECT_EQ(t.names, (Texts{"a", "b"}));
}

TEST(Tool, PrintsErrorsInALine) {
  EXPECT_EQ(Tool().Mistake({}), "A subcommand is required");
  EXPECT_EQ(Tool().Mistake({"name"}), "A subcommand is required");
  EXPECT_EQ(Tool().Mistake({"read"}), "--filename is required");
  EXPECT_EQ(Tool().Mistake({"read", "-f"}), "--filename: 1 required string missing");
  EXPECT_EQ(Tool().Mistake({"name", "one"}), "NAME is required");
  EXPECT_EQ(Tool().Mistake({"name", "one", "a", "b"}), "The following argument was not expected: b");
  EXPECT_EQ(Tool().Mistake({"read", "-f", "a", "--nope"}), "The following argument was not expected: --nope");
  EXPECT_EQ(Tool().Mistake({"-v=x", "read"}),
            "invalid argument \"x\" for \"-v, --v\" flag: strconv.ParseUint: parsing \"x\": invalid syntax");
}

TEST(Tool, HandlesHelpAndVersionFirst) {
  Tool version;
  EXPECT_EQ(version.Parse({"--version"}), 0);
  EXPECT_EQ(version.out.str(), "tool 1.2\n");
  Tool help;
  EXPECT_EQ(help.Parse({"read", "--help"}), 0);
  EXPECT_THAT(help.out.str(), HasSubstr("Usage: tool read [OPTIONS]"));
  EXPECT_THAT(help.out.str(), HasSubstr("-f,--filename string ... REQUIRED"));
}

}  // namespace
}  // namespace berth::flags
