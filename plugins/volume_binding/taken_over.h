// Volumes of in-tree drivers on nodes where a CSI driver replaced the in-tree driver: their node affinity is translated
// for that driver. Source: tryTranslatePVToCSI, isPluginMigratedToCSIOnNode of volumebinding/binder.go. Thread:
// Activate in activate, the rest [serial] and [parallel]. Ownership: values; InTree is static.
#pragma once

#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <string_view>

#include "../common/in_tree_volumes.h"
#include "node_terms.h"

namespace plugins::volume_binding {

class TakenOver {
 public:
  explicit TakenOver(const berth::sdk::Objects& objects) : objects_(objects) {}

  void Activate() { csi_nodes_ = objects_.Need("storage.k8s.io", "v1", "csinodes"); }

  // The in-tree driver of a volume, if a CSI driver may have replaced it; otherwise nullptr.
  static const in_tree::InTree* InTreeOf(const berth::sdk::Object& volume) {
    for (const in_tree::InTree& one : in_tree::kInTree) {
      if (one.counted && !volume.At("spec", one.source).is_null()) return &one;
    }
    return nullptr;
  }
  // Whether a CSI driver replaced it on that node.
  bool On(std::string_view node, const in_tree::InTree& in_tree) const {
    const auto csi_node = objects_.Get(csi_nodes_, "", node);
    std::string_view plugins =
        csi_node.At("metadata", "annotations", "storage.alpha.kubernetes.io/migrated-plugins").AsString();
    while (!plugins.empty()) {
      const size_t end = std::min(plugins.find(','), plugins.size());
      if (plugins.substr(0, end) == in_tree.plugin) return true;
      plugins.remove_prefix(std::min(end + 1, plugins.size()));
    }
    return false;
  }
  // The volume's node affinity, translated for the CSI driver.
  static NodeTerms TermsOf(const berth::sdk::Object& volume, const in_tree::InTree& in_tree) {
    NodeTerms terms = NodeTermsOf(volume.At("spec", "nodeAffinity", "required"));
    if (!in_tree.zone.empty()) TranslateTopology(terms, volume.At("metadata", "labels"), in_tree.zone);
    return terms;
  }
  // The volume's node affinity as it applies on that node.
  NodeTerms TermsOn(std::string_view node, const berth::sdk::Object& volume) const {
    const in_tree::InTree* in_tree = InTreeOf(volume);
    if (in_tree != nullptr && On(node, *in_tree)) return TermsOf(volume, *in_tree);
    return NodeTermsOf(volume.At("spec", "nodeAffinity", "required"));
  }

 private:
  const berth::sdk::Objects& objects_;
  berth::sdk::ObjectKind csi_nodes_ = 0;
};

}  // namespace plugins::volume_binding
