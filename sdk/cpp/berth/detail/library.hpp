// The entry table of a library that holds plugins P...: how the host counts, describes and creates them.
#pragma once

#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "berth/args.hpp"
#include "berth/detail/note.hpp"
#include "berth/entry.h"

namespace berth::sdk::detail {

// Checks args before any instance exists. An exception counts as an error of the args as a whole.
template <class P>
struct ArgsTable {
  static void Complete(const berth_host* raw, const berth_value* args, const berth_args_sink* sink) noexcept {
    Read(raw, args, sink, ArgsMode::kDecode, [](ArgsReader& in, std::string& json) {
      JsonWriter out;
      out.BeginObject();
      P::CompleteArgs(in, out);
      out.EndObject();
      json = out.text();
    });
  }
  static void Check(const berth_host* raw, const berth_value* args, const berth_args_sink* sink) noexcept {
    Read(raw, args, sink, ArgsMode::kCheck, [](ArgsReader& in, std::string&) {
      if constexpr (HasCheckArgs<P>) P::CheckArgs(in);
    });
  }

  static constexpr berth_args kTable{sizeof(berth_args), 0, &Complete, &Check};

 private:
  template <class Fn>
  static void Read(const berth_host* raw, const berth_value* args, const berth_args_sink* sink, ArgsMode mode,
                   Fn&& fn) noexcept {
    try {
      Host host(raw);
      host.Connect();
      std::string json;
      const Value document(&host.services().value, args);
      const auto errors = ReadDocument(host, document, mode, [&](ArgsReader& in) { fn(in, json); });
      for (const ArgsError& error : errors) sink->error(sink->ctx, Borrow(error.path), Borrow(error.text));
      if (errors.empty() && mode == ArgsMode::kDecode) sink->json(sink->ctx, Borrow(json));
    } catch (const std::exception& e) {
      Fail(sink, e.what());
    } catch (...) {
      Fail(sink, "something that is no std::exception");
    }
  }
  static void Fail(const berth_args_sink* sink, const char* what) {
    char text[512];
    std::snprintf(text, sizeof(text), "plugin %s: reading its args threw: %s", P::kInfo.name, what);
    sink->error(sink->ctx, {}, Borrow(text));
  }
};

template <class... P>
struct Library {
  static_assert(sizeof...(P) > 0);
  static_assert((CheckSignatures<P>() && ...));

  static constexpr std::array<berth_descriptor, sizeof...(P)> kDescriptors{
      berth_descriptor{sizeof(berth_descriptor), P::kInfo.flags, P::kInfo.name, BERTH_PLUGIN_VERSION, P::kInfo.vendor,
                       P::kInfo.args_schema}...};

  static uint32_t Count() noexcept { return sizeof...(P); }
  static const berth_descriptor* Describe(uint32_t i) noexcept {
    return i < kDescriptors.size() ? &kDescriptors[i] : nullptr;
  }
  static berth_plugin* Create(const char* name, const berth_host* host) noexcept {
    berth_plugin* made = nullptr;
    (void)((std::strcmp(name, P::kInfo.name) == 0 && (made = Instance<P>::Create(host), true)) || ...);
    return made;
  }
  static const void* Extension(const char* name, const char* id) noexcept {
    if (std::strcmp(id, BERTH_LIBRARY_ARGS) != 0) return nullptr;
    const void* found = nullptr;
    (void)((std::strcmp(name, P::kInfo.name) == 0 && (found = ArgsOf<P>(), true)) || ...);
    return found;
  }
  static const berth_entry* Entry(uint32_t host_abi_minor) noexcept {
    return host_abi_minor < BERTH_PLUGIN_MIN_HOST + 0u ? nullptr : &kEntry;
  }

  static constexpr berth_entry kEntry{sizeof(berth_entry), BERTH_ABI_MINOR, &Count, &Describe, &Create, &Extension};

 private:
  template <class One>
  static const void* ArgsOf() {
    if constexpr (HasCompleteArgs<One>) {
      return &ArgsTable<One>::kTable;
    } else {
      return nullptr;
    }
  }
};

}  // namespace berth::sdk::detail
