// Objects other than pods and nodes, and the store that the fake host keeps them in.
//   plugin.Put("storage.k8s.io/v1/storageclasses", FakeObject("fast").Set("provisioner", "example.org/disk"));
//   plugin.Put("v1/persistentvolumeclaims", FakeObject("claim", "ns").Spec(R"({"storageClassName": "fast"})"));
//   plugin.Delete("storage.k8s.io/v1/storageclasses", "fast");
// Kinds are written apiVersion/resource. Before Start, Put only fills the store; after Start, the active instance also
// gets the change. All views stay valid until the host ends.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/objects.h"
#include "berth/testing/arena.hpp"
#include "berth/testing/json.hpp"
#include "berth/testing/value.hpp"

namespace berth::sdk::testing {

// An object as the store shows it.
struct ObjectData {
  FakeValue document;
  Arena arena;
  berth_object object{};
  const berth_object* shown = nullptr;
  const berth_object* raw() const { return shown; }
};

// Builds an object; a plain value.
class FakeObject {
 public:
  explicit FakeObject(std::string name, std::string ns = "");
  FakeObject(const FakeObject&);
  FakeObject(FakeObject&&) noexcept;
  FakeObject& operator=(const FakeObject&);
  FakeObject& operator=(FakeObject&&) noexcept;
  ~FakeObject();
  // Makes an object of a whole document.
  static FakeObject Of(FakeValue document);
  // Makes an object of a whole object's JSON.
  static FakeObject Json(std::string_view text);

  FakeObject& Uid(std::string uid);
  // If an object has no version, the store sets one.
  FakeObject& Version(std::string version);
  FakeObject& Label(std::string_view key, std::string value);
  FakeObject& Annotation(std::string_view key, std::string value);
  FakeObject& Set(std::string_view key, FakeValue value);
  FakeObject& Spec(std::string_view json);
  FakeObject& Status(std::string_view json);
  // Applies a merge patch (RFC 7396).
  FakeObject& Merge(std::string_view json);

  // The document without the views, for events.
  const FakeValue& document() const { return document_; }
  std::shared_ptr<const ObjectData> Build() const;

 private:
  static const berth_labels* BuildLabels(ObjectData& data, const Value& labels);

  FakeValue document_;
};

class FakeObjects {
 public:
  using Data = std::shared_ptr<const ObjectData>;
  struct Change {
    Data before, now;
  };

  FakeObjects();
  ~FakeObjects();

  // Returns the number of a kind, "v1/services" or "apps/v1/replicasets"; adds the kind on first use.
  uint32_t KindOf(const std::string& kind);
  uint32_t Need(const std::string& kind);
  bool Needed(const std::string& kind);

  // Applies a change from the API server; discards assumed changes of the object.
  Change Put(const std::string& kind, FakeObject object);
  Change Delete(const std::string& kind, const std::string& name, const std::string& ns = "");
  // The object that plugins see; null: there is none.
  Data Find(uint32_t kind, const std::string& ns, const std::string& name) const;
  Data Find(const std::string& kind, const std::string& name, const std::string& ns = "");
  // Sorted by namespace and name; ns "": all.
  std::vector<Data> All(uint32_t kind, const std::string& ns = "") const;
  std::vector<uint32_t> NeededKinds() const;
  uint64_t Version(uint32_t kind) const;

  bool Assume(uint32_t kind, const std::string& ns, const std::string& name, std::string_view patch);
  void Revert(uint32_t kind, const std::string& ns, const std::string& name);
  // Whether the object has an assumed change.
  bool Assumed(const std::string& kind, const std::string& name, const std::string& ns = "");

 private:
  using Key = std::pair<std::string, std::string>;  // namespace, name
  struct Entry {
    Data server, shown;
  };
  struct Kind {
    std::string name;
    std::map<Key, Entry> objects;
    uint64_t version = 1;
    bool needed = false;
  };
  static Key KeyOf(const ObjectData& data);
  Change Changed(Kind& kind, Change change);

  std::deque<Kind> kinds_;
  std::deque<Change> kept_;  // keeps objects readable that the plugin got
  uint64_t version_ = 100;
};

}  // namespace berth::sdk::testing
