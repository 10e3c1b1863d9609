#include "config/flags/command.h"

#include <set>

#include "base/text.h"
#include "config/flags/command_impl.h"

namespace berth::flags {
namespace {

// "-v, --v", "--config".
std::string ShownName(const Flag& flag) {
  return (flag.letter ? std::string("-") + flag.letter + ", --" : "--") + flag.name;
}

// The help followed by the default, if there is one.
std::string HelpText(const Flag& flag) {
  const std::string held = flag.value.text();
  if (std::set<std::string>{"", "0", "0s", "false", "[]"}.count(held) > 0) return flag.help;
  return flag.help + " (default " + (flag.value.type == "string" ? base::Quoted(held) : held) + ")";
}

void TakeMany(CLI::Option& option) {
  option.expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args()->take_all();
}

}  // namespace

Command::Command(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Command::~Command() = default;

void Command::Add(Flag flag) {
  const Value& value = impl_->values.insert_or_assign(flag.name, flag.value).first->second;
  const auto read = [impl = impl_.get(), set = value.set, name = flag.name,
                     shown = ShownName(flag)](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const auto done = set(text);
      if (!done) {
        throw Refused{"invalid argument " + base::Quoted(text) + " for " + base::Quoted(shown) +
                      " flag: " + done.error().message};
      }
    }
    impl->changed.insert(name);
    return true;
  };
  const std::string names = (flag.letter ? std::string("-") + flag.letter + "," : "") + "--" + flag.name;
  // Parsed at once, so that every occurrence is parsed and the first mistake is reported.
  CLI::Option* option = impl_->app->add_option(names, read, HelpText(flag))->trigger_on_parse();
  option->group(flag.group)->type_name(value.type);
  switch (value.takes) {
    case Takes::kOne: option->expected(1); break;
    case Takes::kNothing:
      option->type_size(0)->expected(0);
      impl_->shared->bare.insert(flag.name);
      break;
    case Takes::kMany: TakeMany(*option); break;
  }
  if (flag.required) option->required();
}

void Command::AddArguments(const std::string& name, std::vector<std::string>& at, const std::string& help, bool many,
                           bool optional) {
  const auto keep = [&at](const std::vector<std::string>& texts) {
    at = texts;
    return true;
  };
  CLI::Option* option = impl_->app->add_option(name, keep, help)->required(!optional);
  if (many) TakeMany(*option);
}

Command& Command::AddSubcommand(const std::string& name, const std::string& about) {
  auto impl = std::make_unique<Impl>();
  impl->app = impl_->app->add_subcommand(name, about);
  impl->shared = impl_->shared;
  impl_->app->require_subcommand(1);
  return *impl_->subcommands.emplace_back(std::make_unique<Command>(std::move(impl)));
}

void Command::SetMistakeCode(int code) { impl_->mistake_code = code; }

void Command::OnRun(std::function<int()> run) { impl_->run = std::move(run); }

bool Command::Changed(const std::string& name) const { return impl_->changed.count(name) > 0; }

std::vector<FlagState> Command::States() const {
  std::vector<FlagState> states;
  for (const auto& [name, value] : impl_->values) states.push_back({name, value.text(), Changed(name)});
  return states;
}

}  // namespace berth::flags
