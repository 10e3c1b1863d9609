#include "config/flags/parser.h"

#include <algorithm>
#include <ostream>

#include "base/text.h"
#include "codec/text/number.h"
#include "config/flags/arguments.h"
#include "config/flags/command_impl.h"

namespace berth::flags {
namespace {

// A long flag with an empty value as two arguments: CLI11 would take the argument that follows for the value.
std::vector<std::string> EmptyValuesApart(const std::vector<std::string>& arguments, const Shared& shared) {
  std::vector<std::string> out;
  bool flags_over = false;
  for (const std::string& argument : arguments) {
    flags_over = flags_over || argument == "--";
    if (flags_over || !argument.starts_with("--") || argument.find('=') != argument.size() - 1) {
      out.push_back(argument);
      continue;
    }
    const std::string name = argument.substr(2, argument.size() - 3);
    if (shared.bare.count(name) > 0) {
      throw Refused{"invalid argument \"\" for " + base::Quoted("--" + name) +
                    " flag: " + text::ParseBool("").error().message};
    }
    if (name.empty()) throw Refused{"bad flag syntax: " + argument};
    out.push_back("--" + name);
    out.emplace_back();
  }
  return out;
}

// The error of an argument that no flag took; "" = it is not a flag.
std::string FlagMistake(const std::string& argument) {
  if (argument.size() < 2 || argument[0] != '-') return {};
  if (argument[1] != '-') return std::string("unknown shorthand flag: '") + argument[1] + "' in " + argument;
  const std::string name = argument.substr(2, argument.find('=') - 2);
  if (name.empty() || name[0] == '-') return "bad flag syntax: " + argument;
  return "unknown flag: --" + name;
}

// The argument as the user wrote it, before Normalized.
std::string AsWritten(const std::string& argument, const std::vector<std::string>& arguments) {
  for (const std::string& written : arguments) {
    if (Normalized({written}).front() == argument) return written;
  }
  return argument;
}

// Go's %q of a []string.
std::string QuotedList(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(base::Quoted(text));
  return "[" + base::Join(quoted, " ") + "]";
}

}  // namespace

struct Parser::Impl {
  CLI::App app;
  Manner manner;
  std::unique_ptr<Command> root;

  Impl(const std::string& program, const std::string& about, Manner how) : app(about, program), manner(how) {
    auto impl = std::make_unique<Command::Impl>();
    impl->app = &app;
    impl->shared = std::make_shared<Shared>();
    root = std::make_unique<Command>(std::move(impl));
    app.fallthrough();  // the root's flags may follow a subcommand
    if (manner == Manner::kComponent) app.allow_extras();
  }

  // The command that the command line names, also after a mistake behind its name.
  const Command& Called() const {
    const Command* command = root.get();
    for (bool deeper = true; deeper;) {
      deeper = false;
      for (const auto& sub : command->impl_->subcommands) {
        if (!sub->impl_->app->parsed()) continue;
        command = sub.get();
        deeper = true;
        break;
      }
    }
    return *command;
  }

  int Mistake(const std::string& text, std::ostream& err) const {
    if (manner == Manner::kTool) {
      err << text << "\nRun with --help for more information.\n";
    } else {
      err << app.help() << "Error: " << text << "\n";
    }
    return 1;
  }

  int Answer(const CLI::ParseError& e, std::ostream& out, std::ostream& err) const {
    if (e.get_exit_code() == 0 || manner == Manner::kTool) return app.exit(e, out, err) == 0 ? 0 : 1;
    const std::string text = e.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&e) == nullptr) return Mistake(text, err);
    return Mistake("flag needs an argument: " + text.substr(0, text.find(':')), err);
  }

  // A component: the arguments that no flag took.
  std::optional<int> RefuseArguments(const std::vector<std::string>& arguments, std::ostream& err) const {
    std::vector<std::string> rest = app.remaining();
    const auto mark = std::find(rest.begin(), rest.end(), "--");  // no flag follows it
    for (auto argument = rest.begin(); argument != mark; ++argument) {
      const std::string mistake = FlagMistake(AsWritten(*argument, arguments));
      if (!mistake.empty()) return Mistake(mistake, err);
    }
    if (mark != rest.end()) rest.erase(mark);
    if (std::all_of(rest.begin(), rest.end(), [](const std::string& s) { return s.empty(); })) return std::nullopt;
    err << "Error: " << base::Quoted(app.get_name()) << " does not take any arguments, got " << QuotedList(rest)
        << "\n";
    return 1;
  }
};

Parser::Parser(const std::string& program, const std::string& about, Manner manner)
    : impl_(std::make_unique<Impl>(program, about, manner)) {}
Parser::~Parser() = default;

Command& Parser::root() { return *impl_->root; }

void Parser::AnswerVersion(const std::string& text) { impl_->app.set_version_flag("--version", text); }

std::optional<int> Parser::Parse(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
  try {
    std::vector<std::string> args = EmptyValuesApart(Normalized(arguments), *root().impl_->shared);
    std::reverse(args.begin(), args.end());  // CLI11 takes them from the back
    impl_->app.parse(std::move(args));
  } catch (const Refused& refused) {
    impl_->Mistake(refused.text, err);
    return impl_->Called().impl_->mistake_code;
  } catch (const CLI::ParseError& e) {
    return impl_->Answer(e, out, err) == 0 ? 0 : impl_->Called().impl_->mistake_code;
  }
  return impl_->manner == Manner::kComponent ? impl_->RefuseArguments(arguments, err) : std::nullopt;
}

int Parser::Run() const {
  const Command& command = impl_->Called();
  return command.impl_->run ? command.impl_->run() : 0;
}

}  // namespace berth::flags
