// The entry of a library of plugin classes that a test defines, without BERTH_PLUGIN (a program may have only one
// BERTH_PLUGIN).
#pragma once

#include <berth/plugin.hpp>
#include <berth/testing/plugin_under_test.hpp>

namespace berth::sdk::testing {

template <class... P>
PluginUnderTest TestPlugin() {
  using First = std::tuple_element_t<0, std::tuple<P...>>;
  return PluginUnderTest(&detail::Library<P...>::Entry, First::kInfo.name);
}

}  // namespace berth::sdk::testing
