# find_package(BerthSDK): targets Berth::sdk_headers (C ABI), Berth::sdk (C++ layer), Berth::sdk_testing (fake host), and the
# functions berth_add_plugin and berth_add_plugin_test.
include("${CMAKE_CURRENT_LIST_DIR}/BerthSDKTargets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/BerthAddPlugin.cmake")
