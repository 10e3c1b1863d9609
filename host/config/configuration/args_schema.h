// The shape of the args of in-tree plugins, as data: which fields there are, of which type, and when Go's encoder
// leaves one out. Sources: kube-scheduler/config/v1 types_pluginargs.go of 0.36.3 and v1beta2 of 0.23.1. Thread: any;
// constant.
#pragma once

#include <span>
#include <string_view>

namespace berth::config {

enum class FieldType : uint8_t { kBool, kInt32, kInt64, kString, kDuration, kObject, kStringMap };

// Written when: the struct field has no omitempty; it is a pointer that is set; it is not zero.
enum class Written : uint8_t { kAlways, kWhenSet, kUnlessZero };

struct ArgsField;
using ArgsFields = std::span<const ArgsField>;

struct ArgsField {
  std::string_view name;
  FieldType type;
  Written written;
  bool list = false;
  ArgsFields fields = {};   // of kObject
  bool since_1_24 = false;  // v1beta2 of 1.23.1 did not have it
};

// Fields of "<plugin>Args" besides apiVersion and kind; empty for plugins without a registered args type. The eight
// types are those of pkg/scheduler/apis/config/v1/register.go, addKnownTypes.
ArgsFields ArgsFieldsOf(std::string_view plugin);
bool HasArgsType(std::string_view plugin);

}  // namespace berth::config
