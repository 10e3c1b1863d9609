// Finds the requirements of a pod's claims: their volumes, candidate volumes, or how to provision volumes. Source:
// podHasPVCs of volume_binding.go; GetPodVolumeClaims, hasEnoughCapacity of binder.go; FindMatchingVolume and
// IsDelayBindingMode of k8s.io/component-helpers/storage/volume. Thread: [serial].
#pragma once

#include <berth/plugin.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../common/volume_objects.h"
#include "claims.h"
#include "selectors_kept.h"
#include "taken_over.h"

namespace plugins::volume_binding {

class Finder {
 public:
  explicit Finder(berth::sdk::Host& host)
      : host_(host), objects_(host), kept_(host, objects_.objects()), taken_over_(objects_.objects()) {}

  void Activate() {
    objects_.Activate();
    drivers_ = objects_.objects().Need("storage.k8s.io", "v1", "csidrivers");
    capacities_ = objects_.objects().Need("storage.k8s.io", "v1", "csistoragecapacities");
    taken_over_.Activate();
  }
  const VolumeObjects& objects() const { return objects_; }
  const TakenOver& taken_over() const { return taken_over_; }
  const berth::sdk::Matching& matching() const { return kept_.matching(); }

  // Updates the lookup of volumes by class. An assumed change does not change a volume's class.
  void Changed(berth::sdk::ObjectKind kind, const berth::sdk::Object& before, const berth::sdk::Object& now) {
    if (kind == objects_.volumes()) {
      if (before) by_class_[std::string(VolumeObjects::ClassNameOf(before))].erase(std::string(before.name()));
      if (now) by_class_[std::string(VolumeObjects::ClassNameOf(now))].insert(std::string(now.name()));
      if (before && !now) kept_.ForgetVolume(before);
    } else if (kind == capacities_ && before && !now) {
      kept_.ForgetCapacity(before);
    }
  }

  // OK: `claims` is filled. SKIP: the pod has no claims. Otherwise the reason why no node fits.
  berth::sdk::Status Find(const berth::sdk::Pod& pod, PodClaims& claims) {
    std::vector<berth::sdk::Object> found;
    for (const berth_volume& volume : pod.volumes()) {
      if (!HasClaim(volume)) continue;
      const std::string name = ClaimNameOf(host_, pod, volume);
      const auto claim = objects_.Claim(pod.ns(), name);
      const bool ephemeral = volume.kind == BERTH_VOLUME_EPHEMERAL;
      if (std::string why = Unusable(pod, name, claim, ephemeral); !why.empty())
        return berth::sdk::Status::Unresolvable(std::move(why));
      found.push_back(claim);
    }
    if (found.empty()) return berth::sdk::Status::Skip();
    bool immediate = false;
    for (const auto& claim : found) {
      if (FullyBound(claim)) {
        claims.bound.push_back(BoundOf(claim));
        continue;
      }
      std::string error;
      if (WaitsForNode(claim, error) && VolumeObjects::VolumeNameOf(claim).empty()) {
        claims.waiting.push_back(WaitingOf(claim));
      } else if (!error.empty()) {
        return berth::sdk::Status::Error(std::move(error));
      } else {
        immediate = true;
      }
    }
    if (immediate) return berth::sdk::Status::Unresolvable("pod has unbound immediate PersistentVolumeClaims");
    SortBySize(claims);
    return berth::sdk::Status::Ok();
  }

  // Whether spec.volumeName is set and the controller completed the binding.
  static bool FullyBound(const berth::sdk::Object& claim) {
    return claim && !VolumeObjects::VolumeNameOf(claim).empty() &&
           !claim.At("metadata", "annotations", "pv.kubernetes.io/bind-completed").is_null();
  }
  // The size of the largest volume that a CSIStorageCapacity offers; nullopt: unknown.
  std::optional<int64_t> LimitOf(const berth::sdk::Value& capacity) const {
    const berth::sdk::Value largest = capacity.Get("maximumVolumeSize");
    const berth::sdk::Value limit = largest.is_null() ? capacity.Get("capacity") : largest;
    return limit.is_null() ? std::nullopt : objects_.objects().Units(limit.AsString());
  }

 private:
  // claim is empty if there is none with that name.
  std::string Unusable(const berth::sdk::Pod& pod, const std::string& name, const berth::sdk::Object& claim,
                       bool ephemeral) const {
    if (!claim) {
      return ephemeral ? "waiting for ephemeral volume controller to create the persistentvolumeclaim \"" + name + "\""
                       : VolumeObjects::ClaimNotFound(name);
    }
    if (claim.At("status", "phase").AsString() == "Lost") {
      return "persistentvolumeclaim \"" + name + "\" bound to non-existent persistentvolume \"" +
             std::string(VolumeObjects::VolumeNameOf(claim)) + "\"";
    }
    if (!claim.At("metadata", "deletionTimestamp").is_null()) {
      return "persistentvolumeclaim \"" + name + "\" is being deleted";
    }
    return ephemeral ? NotForPod(host_, claim, pod) : "";
  }

  bool WaitsForNode(const berth::sdk::Object& claim, std::string& error) const {
    const std::string_view name = VolumeObjects::ClassNameOf(claim);
    const auto storage_class = name.empty() ? berth::sdk::Object() : objects_.Class(name);
    if (!storage_class) return false;
    const berth::sdk::Value mode = storage_class.At("volumeBindingMode");
    if (mode.is_null()) error = "VolumeBindingMode not set for StorageClass \"" + std::string(name) + "\"";
    return mode.AsString() == "WaitForFirstConsumer";
  }

  BoundVolume BoundOf(const berth::sdk::Object& claim) {
    const auto volume = objects_.Volume(VolumeObjects::VolumeNameOf(claim));
    if (!volume) return {.missing = true};
    BoundVolume bound{.affinity = kept_.OfVolume(volume), .in_tree = TakenOver::InTreeOf(volume)};
    if (bound.in_tree != nullptr) bound.taken_over = TakenOver::TermsOf(volume, *bound.in_tree);
    return bound;
  }

  WaitingClaim WaitingOf(const berth::sdk::Object& claim) {
    WaitingClaim waiting;
    waiting.name = claim.name();
    waiting.uid = claim.uid();
    waiting.resource_version = claim.resource_version();
    waiting.size = Storage(claim.At("spec", "resources", "requests"));
    const berth::sdk::Value selected = claim.At("metadata", "annotations", "volume.kubernetes.io/selected-node");
    if (!selected.is_null()) waiting.selected_node = selected.AsString();
    AddCandidates(claim, waiting);
    waiting.provisioning = ProvisioningOf(claim, waiting.size);
    return waiting;
  }

  int64_t Storage(const berth::sdk::Value& amounts) const {
    return objects_.objects().Units(amounts.Get("storage").AsString()).value_or(0);
  }

  void AddCandidates(const berth::sdk::Object& claim, WaitingClaim& waiting) {
    const auto found = by_class_.find(std::string(VolumeObjects::ClassNameOf(claim)));
    if (found == by_class_.end()) return;
    const berth::sdk::Value selector = claim.At("spec", "selector");
    const berth_selector* wanted = selector.is_null() ? nullptr : kept_.matching().Keep(selector);
    for (const std::string& name : found->second) {
      const auto volume = objects_.Volume(name);
      if (!volume || !Suits(claim, volume, waiting)) continue;
      Candidate candidate{name,
                          std::string(volume.resource_version()),
                          Storage(volume.At("spec", "capacity")),
                          kept_.OfVolume(volume),
                          NamesClaim(volume, claim),
                          !volume.At("metadata", "annotations", "pv.kubernetes.io/bound-by-controller").is_null()};
      if (candidate.bound_to_claim) {
        if (!waiting.prebound) waiting.prebound = std::move(candidate);
      } else if (volume.At("status", "phase").AsString() == "Available" && OffersModes(claim, volume) &&
                 (wanted == nullptr || kept_.matching().Matches(wanted, volume.raw()->labels))) {
        waiting.candidates.push_back(std::move(candidate));
      }
    }
    if (wanted != nullptr) kept_.matching().Drop(wanted);
    std::stable_sort(waiting.candidates.begin(), waiting.candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.size < b.size; });
  }

  // The conditions that also apply to a volume that names the claim.
  bool Suits(const berth::sdk::Object& claim, const berth::sdk::Object& volume, const WaitingClaim& waiting) const {
    if (!volume.At("spec", "claimRef").is_null() && !NamesClaim(volume, claim)) return false;
    if (Storage(volume.At("spec", "capacity")) < waiting.size) return false;
    const auto mode = [](const berth::sdk::Object& object) {
      const std::string_view text = object.At("spec", "volumeMode").AsString();
      return text.empty() ? std::string_view("Filesystem") : text;
    };
    return mode(claim) == mode(volume) &&
           claim.At("spec", "volumeAttributesClassName").AsString() ==
               volume.At("spec", "volumeAttributesClassName").AsString() &&
           volume.At("metadata", "deletionTimestamp").is_null();
  }

  static bool NamesClaim(const berth::sdk::Object& volume, const berth::sdk::Object& claim) {
    const berth::sdk::Value ref = volume.At("spec", "claimRef");
    if (ref.is_null() || ref.Get("name").AsString() != claim.name() || ref.Get("namespace").AsString() != claim.ns())
      return false;
    const std::string_view uid = ref.Get("uid").AsString();
    return uid.empty() || uid == claim.uid();
  }

  static bool OffersModes(const berth::sdk::Object& claim, const berth::sdk::Object& volume) {
    const berth::sdk::Value wanted = claim.At("spec", "accessModes"), offered = volume.At("spec", "accessModes");
    for (uint32_t i = 0; i < wanted.size(); ++i) {
      bool has = false;
      for (uint32_t j = 0; j < offered.size(); ++j) has |= offered[j].AsString() == wanted[i].AsString();
      if (!has) return false;
    }
    return true;
  }

  Provisioning ProvisioningOf(const berth::sdk::Object& claim, int64_t size) {
    Provisioning provisioning;
    const std::string name(VolumeObjects::ClassNameOf(claim));
    if (name.empty()) {
      provisioning.error = "no class for claim \"" + std::string(claim.ns()) + "/" + std::string(claim.name()) + "\"";
      return provisioning;
    }
    const auto storage_class = objects_.Class(name);
    if (!storage_class) {
      provisioning.error = "failed to find storage class \"" + name + "\"";
      return provisioning;
    }
    const std::string_view provisioner = storage_class.At("provisioner").AsString();
    provisioning.supported = !provisioner.empty() && provisioner != "kubernetes.io/no-provisioner";
    AddAllowed(storage_class.At("allowedTopologies"), provisioning);
    if (claim.At("spec", "resources", "requests", "storage").is_null()) return provisioning;
    const auto driver = objects_.objects().Get(drivers_, "", provisioner);
    provisioning.limited = driver && driver.At("spec", "storageCapacity").AsBool();
    if (provisioning.limited) AddRoomy(name, size, provisioning);
    return provisioning;
  }

  void AddAllowed(const berth::sdk::Value& terms, Provisioning& provisioning) {
    for (uint32_t i = 0; i < terms.size(); ++i) {
      TopologyTerm& term = provisioning.allowed.emplace_back();
      const berth::sdk::Value expressions = terms[i].Get("matchLabelExpressions");
      for (uint32_t j = 0; j < expressions.size(); ++j) {
        TopologyExpression& expression = term.emplace_back();
        expression.key = Interned(expressions[j].Get("key").AsString());
        const berth::sdk::Value values = expressions[j].Get("values");
        for (uint32_t k = 0; k < values.size(); ++k) expression.values.push_back(Interned(values[k].AsString()));
      }
    }
  }
  // Topology keys and values are few and repeat, so the instance keeps each one.
  berth::sdk::Id Interned(std::string_view text) {
    const auto found = ids_.find(text);
    if (found != ids_.end()) return found->second;
    return ids_.emplace(std::string(text), host_.Intern(text)).first->second;
  }

  void AddRoomy(std::string_view class_name, int64_t size, Provisioning& provisioning) {
    for (const auto& capacity : objects_.objects().All(capacities_)) {
      if (capacity.At("storageClassName").AsString() != class_name) continue;
      const auto limit = LimitOf(capacity.value());
      if (!limit || *limit < size) continue;
      if (const berth_selector* nodes = kept_.OfCapacity(capacity)) provisioning.roomy.push_back(nodes);
    }
  }

  static void SortBySize(PodClaims& claims) {
    for (size_t i = 0; i < claims.waiting.size(); ++i) {
      if (!claims.waiting[i].selected_node) claims.by_size.push_back(i);
    }
    std::stable_sort(claims.by_size.begin(), claims.by_size.end(),
                     [&](size_t a, size_t b) { return claims.waiting[a].size < claims.waiting[b].size; });
  }

  berth::sdk::Host& host_;
  VolumeObjects objects_;
  SelectorsKept kept_;
  TakenOver taken_over_;
  berth::sdk::ObjectKind drivers_ = 0, capacities_ = 0;
  std::map<std::string, std::set<std::string>> by_class_;  // names of volumes
  std::map<std::string, berth::sdk::Id, std::less<>> ids_;
};

}  // namespace plugins::volume_binding
