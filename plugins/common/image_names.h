// Image names in the form that container runtimes report: with ":latest" if the reference has no tag. Source:
// pkg/scheduler/framework/plugins/imagelocality/image_locality.go normalizedImageName. Thread: any.
#pragma once

#include <berth/plugin.hpp>

#include <string>
#include <string_view>

namespace plugins {

// Whether the name needs ":latest". The positions are compared; an absent separator counts as -1.
inline bool LacksTag(std::string_view name) {
  const size_t colon = name.rfind(':'), slash = name.rfind('/');
  if (colon == std::string_view::npos) return true;
  return slash != std::string_view::npos && colon <= slash;
}

// The id of the complete name during the object's lifetime. For references with a tag, which are the most frequent, it
// interns nothing.
class ImageName {
 public:
  ImageName(berth::sdk::Host& host, berth::sdk::Id reference) : host_(host), id_(reference) {
    const std::string_view text = host.Text(reference);
    if (!LacksTag(text)) return;
    id_ = host.Intern(std::string(text) + ":latest");
    owned_ = true;
  }
  ImageName(const ImageName&) = delete;
  ~ImageName() {
    if (owned_) host_.Drop(id_);
  }
  berth::sdk::Id id() const { return id_; }

 private:
  berth::sdk::Host& host_;
  berth::sdk::Id id_;
  bool owned_ = false;
};

}  // namespace plugins
