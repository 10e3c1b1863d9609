// The C++ layer of the plugin SDK; the one header a plugin includes.
//
// A plugin is an ordinary class. It declares kInfo, is constructed from a Host&, and offers a call by having a member
// function of that name: the extension points, Events, Deltas and args, whose signatures are listed in
// detail/traits.hpp and explained in the README. BERTH_PLUGIN in one .cc file makes the library: the C tables, the
// exported entry, and the ELF note all come from the class.
//
// Threads: calls keep the domains of the C ABI (abi.h). Constructor, Activate, Deactivate: [background]. Filter, Score,
// AddPod, RemovePod: [parallel], so guard what they change. PreFlight, PreBind, Bind, PostBind, Unreserve: [bind]. The
// rest: [serial]. Failures: every exception becomes an ERROR that names plugin and call; none leaves the library.
#pragma once

#include "berth/args.hpp"
#include "berth/calls.hpp"
#include "berth/cycle.hpp"
#include "berth/detail/library.hpp"
#include "berth/hot.hpp"
#include "berth/info.hpp"

// BERTH_PLUGIN(MyPlugin) or BERTH_PLUGIN(A, B, C), once per library, outside of any namespace.
#define BERTH_PLUGIN(...)                                                                               \
  __attribute__((section(".note.berth"), used, aligned(4))) static constexpr auto berth_manifest_note = \
      ::berth::sdk::detail::MakeNote<__VA_ARGS__>();                                                    \
  extern "C" BERTH_EXPORT const berth_entry* berth_entry_v1(uint32_t host_abi_minor) {                  \
    return ::berth::sdk::detail::Library<__VA_ARGS__>::Entry(host_abi_minor);                           \
  }                                                                                                     \
  static_assert(true, "a semicolon follows BERTH_PLUGIN")
