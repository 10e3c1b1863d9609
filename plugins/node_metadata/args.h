// NodeMetadataArgs. Source: sigs.k8s.io/scheduler-plugins apis/config/v1/types.go, apis/config/validation.
#pragma once

#include <berth/plugin.hpp>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "../common/known_kind.h"

namespace plugins {

struct NodeMetadataArgs {
  static constexpr std::string_view kRfc3339 = "2006-01-02T15:04:05Z07:00";

  std::string key, source, type, strategy, format;

  bool timestamp() const { return type == "Timestamp"; }
  bool annotation() const { return source == "Annotation"; }

  static NodeMetadataArgs Read(berth::sdk::ArgsReader& in) {
    ExpectKind(in, "NodeMetadata");
    NodeMetadataArgs args;
    in.Get("metadataKey", args.key);
    in.Get("metadataSource", args.source, "v1.MetadataSourceType");
    in.Get("metadataType", args.type, "v1.MetadataValueType");
    in.Get("scoringStrategy", args.strategy, "v1.MetadataScoringStrategy");
    in.Get("timestampFormat", args.format);
    if (args.format.empty() && args.timestamp()) args.format = kRfc3339;
    args.Check(in);
    return args;
  }
  void Write(berth::sdk::JsonWriter& out) const {
    out.Field("metadataKey", key);
    out.Field("metadataSource", source);
    out.Field("metadataType", type);
    out.Field("scoringStrategy", strategy);
    if (!format.empty()) out.Field("timestampFormat", format);
  }

 private:
  static bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), text) != list.end();
  }
  void Check(berth::sdk::ArgsReader& in) const {
    in.Check(!key.empty(), "metadataKey", key, "metadataKey cannot be empty");
    in.Check(IsOneOf(source, {"Label", "Annotation"}), "metadataSource", source,
             "metadataSource must be either \"Label\" or \"Annotation\"");
    in.Check(IsOneOf(type, {"Number", "Timestamp"}), "metadataType", type,
             "metadataType must be either \"Number\" or \"Timestamp\"");
    const bool of_times = IsOneOf(strategy, {"Newest", "Oldest"}),
               of_numbers = IsOneOf(strategy, {"Highest", "Lowest"});
    in.Check(of_times || of_numbers, "scoringStrategy", strategy,
             "scoringStrategy must be one of \"Highest\", \"Lowest\", \"Newest\", or \"Oldest\"");
    in.Check(!(type == "Number" && of_times), "scoringStrategy", strategy,
             "scoringStrategy \"Newest\" and \"Oldest\" are only valid for metadataType \"Timestamp\"");
    in.Check(!(type == "Timestamp" && of_numbers), "scoringStrategy", strategy,
             "scoringStrategy \"Highest\" and \"Lowest\" are only valid for metadataType \"Number\"");
  }
};

}  // namespace plugins
