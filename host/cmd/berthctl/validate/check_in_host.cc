// The rule that runs the plugin in the host: BP-118. The code of `berthctl simulate` schedules a few pods with the
// plugin. It checks all answers and recomputes kept results.
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "cmd/berthctl/validate/checks.h"
#include "codec/json/value.h"
#include "policy/assembly/library_catalog.h"
#include "simulator/simulation/run.h"

namespace berth::validate {
namespace {

using json::Value;

// The destructor removes the folder with its content.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "berth-validate-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

constexpr const char* kProfile = R"(apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
  plugins: {multiPoint: {disabled: [{name: "*"}], enabled: [SORT{name: PLUGIN}, {name: DefaultBinder}]}}
)";

std::string Configuration(const Subject& subject, const std::string& library, bool sorts) {
  std::string text = kProfile;
  text.replace(text.find("SORT"), 4, sorts ? "" : "{name: PrioritySort}, ");
  text.replace(text.find("PLUGIN"), 6, json::Dump(subject.plugin));
  if (subject.plugin == "DefaultBinder") text.erase(text.rfind(", {name: DefaultBinder}"), 23);
  if (!subject.given_args.is_null()) {
    const Value entry = Value::MakeObject({{"name", subject.plugin}, {"args", subject.given_args}});
    text += "  pluginConfig: [" + json::Dump(entry) + "]\n";
  }
  const Value binding = Value::MakeObject({{"name", subject.plugin}, {"library", library}});
  return text +
         "---\napiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\nsecurity: {checkOwner: false}\nplugins: [" +
         json::Dump(binding) + "]\n";
}

std::string Cluster() {
  std::string text;
  for (int i = 0; i < 4; ++i) {
    const std::string n = std::to_string(i);
    text += "---\napiVersion: v1\nkind: Node\nmetadata: {name: n" + n + ", labels: {zone: z" + n +
            "}}\nstatus: {allocatable: {cpu: \"4\", memory: 8Gi, pods: \"110\"}}\n";
  }
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    text += "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p" + n +
            ", labels: {app: web}}\nspec: {containers: [{name: c, image: i, resources: {requests: {cpu: " + n +
            "00m}}}]}\n";
  }
  return text;
}

bool IsThere(const assembly::LibraryCatalog& catalog, const char* name) { return catalog.Find(name).has_value(); }

}  // namespace

void CheckInTheHost(const Subject& subject, Findings& findings) {
  const assembly::LibraryCatalog catalog(assembly::OrDefault({}), {});
  if (!IsThere(catalog, "PrioritySort") || !IsThere(catalog, "DefaultBinder")) {
    return findings.NotApplicable("PrioritySort and DefaultBinder are not in " + assembly::DefaultPluginDirectory());
  }
  const auto& points = subject.noted().points;
  const bool sorts = std::find(points.begin(), points.end(), "queueSort") != points.end();
  const Folder folder;
  const std::string library = folder.path() / "candidate.so";
  std::filesystem::copy_file(subject.path, library);
  simulation::RunOptions options;
  options.plugin_directories = {assembly::DefaultPluginDirectory(), folder.path()};
  options.config = folder.Write("config.yaml", Configuration(subject, library, sorts));
  options.manifests = {folder.Write("cluster.yaml", Cluster())};
  options.json = options.check = true;
  std::ostringstream out, err;
  findings.Step("simulating");
  const int code = simulation::RunSimulation(options, out, err);
  if (code != 0) return findings.Fail(err.str());
  const auto result = json::Parse(out.str());
  const Value* attempts = result ? result->Find("pods") : nullptr;
  if (attempts == nullptr) return findings.Fail("the simulation answers nothing: " + err.str());
  std::vector<std::string> errors;
  for (const Value& attempt : attempts->array()) {
    const Value *how = attempt.Find("result"), *message = attempt.Find("message");
    if (how != nullptr && how->string() == "Error") errors.push_back(message == nullptr ? "Error" : message->string());
  }
  findings.FailAll(errors);
}

}  // namespace berth::validate
