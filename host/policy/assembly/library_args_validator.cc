#include "policy/assembly/library_args_validator.h"

#include <optional>

#include "api/text_view.h"
#include "plugin/instance/instance.h"

namespace berth::assembly {
namespace {

struct Answers {
  const config::ArgsValidator::Sink* errors;
  std::optional<std::string> json;
  uint32_t n_json = 0, n_errors = 0;
};

std::string Text(berth_str s) { return std::string(api::View(s)); }

berth_args_sink SinkFor(Answers& answers) {
  return {sizeof(berth_args_sink), 0, &answers,
          [](void* ctx, berth_str path, berth_str text) {
            auto& a = *static_cast<Answers*>(ctx);
            ++a.n_errors;
            if (a.errors != nullptr) (*a.errors)(Text(path), Text(text));
          },
          [](void* ctx, berth_str text) {
            auto& a = *static_cast<Answers*>(ctx);
            ++a.n_json;
            a.json = Text(text);
          }};
}

// complete() either reports errors or returns one JSON object. "" = it did.
std::string WhyNotCompleted(const Answers& answers) {
  if (answers.n_errors > 0) return {};
  if (answers.n_json != 1) {
    return "the plugin's complete() handed over " + std::to_string(answers.n_json) + " completed args instead of one";
  }
  const auto parsed = json::Parse(*answers.json);
  if (!parsed) return "the plugin's complete() handed over what is no JSON: " + parsed.error().message;
  return parsed->is_object() ? "" : "the plugin's complete() handed over JSON that is no object";
}

}  // namespace

const berth_args* LibraryArgsValidator::ArgsTableOf(const std::string& plugin) {
  const auto offer = catalog_.Find(plugin);
  if (!offer || !offer->args) return nullptr;
  const auto library = catalog_.Open(*offer);
  if (!library) return nullptr;  // building the profile reports the reason
  const berth_entry* entry = (*library)->entry();
  if (!BERTH_HAS(entry, berth_entry, extension)) return nullptr;
  const auto* table = static_cast<const berth_args*>(entry->extension(offer->plugin.c_str(), BERTH_LIBRARY_ARGS));
  return BERTH_HAS(table, berth_args, check) ? table : nullptr;
}

json::Value LibraryArgsValidator::Complete(const std::string& plugin, json::Value args) {
  const berth_args* table = ArgsTableOf(plugin);
  if (table == nullptr || table->complete == nullptr) return args;
  plugin::HostContext context{&services_, nullptr};
  const berth_host host = plugin::MakeHost(&context);
  Answers answers{nullptr, std::nullopt, 0, 0};
  const berth_args_sink sink = SinkFor(answers);
  table->complete(&host, args.is_null() ? nullptr : reinterpret_cast<const berth_value*>(&args), &sink);
  if (!answers.json) return args;  // check() reports what is wrong with them
  base::Result<json::Value> completed = json::Parse(*answers.json);
  return completed ? std::move(*completed) : args;
}

void LibraryArgsValidator::Check(const std::string& plugin, const json::Value& args, const Sink& sink) {
  const berth_args* table = ArgsTableOf(plugin);
  if (table == nullptr) return InTreeArgsValidator::Check(plugin, args, sink);
  plugin::HostContext context{&services_, nullptr};
  const berth_host host = plugin::MakeHost(&context);
  Answers answers{&sink, std::nullopt, 0, 0};
  const berth_args_sink abi = SinkFor(answers);
  const auto* value = args.is_null() ? nullptr : reinterpret_cast<const berth_value*>(&args);
  // complete() reports fields that cannot be decoded, check() reports invalid values.
  if (table->complete != nullptr) {
    table->complete(&host, value, &abi);
    if (const std::string why = WhyNotCompleted(answers); !why.empty()) return sink("", why);
  }
  table->check(&host, value, &abi);
}

json::Value LibraryArgsValidator::Sample(const std::string& plugin) {
  const auto offer = catalog_.Find(plugin);
  if (!offer) return {};
  const auto library = catalog_.Open(*offer);
  if (!library) return {};  // building the profile reports the reason
  const loader::NotedPlugin* noted = (*library)->note().Find(offer->plugin);
  return noted == nullptr ? json::Value() : noted->sample_args;
}

}  // namespace berth::assembly
