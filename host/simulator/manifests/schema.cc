#include "simulator/manifests/schema.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "base/text.h"
#include "codec/fields/field_reader.h"
#include "codec/fields/issue.h"
#include "simulator/admission/quantities.h"

namespace berth::manifests {
namespace {

using json::Value;

constexpr KindName kKinds[] = {{"v1", "Pod"},
                               {"v1", "Node"},
                               {"v1", "ReplicationController"},
                               {"v1", "LimitRange"},
                               {"apps/v1", "Deployment"},
                               {"apps/v1", "ReplicaSet"},
                               {"apps/v1", "StatefulSet"},
                               {"apps/v1", "DaemonSet"},
                               {"batch/v1", "Job"},
                               {"scheduling.k8s.io/v1", "PriorityClass"},
                               {"node.k8s.io/v1", "RuntimeClass"}};

// name:type of every field; without a type, any value is valid. A type is string, int, bool, quantity, word(a|b),
// another entry of the table, [type] (a list), or {type} (a map).
struct TypeText {
  std::string_view name, fields;
};
constexpr TypeText kTypes[] = {
    {"Meta",
     "name:string namespace:string labels:{string} annotations:{string} generateName selfLink uid resourceVersion "
     "generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds ownerReferences:[Owner] "
     "finalizers managedFields"},
    {"Owner", "apiVersion:string kind:string name:string uid:string controller:bool blockOwnerDeletion:bool"},
    {"Pod", "apiVersion kind metadata:Meta spec:PodSpec status"},
    {"PodTemplate", "metadata:Meta spec:PodSpec"},
    {"PodSpec",
     "containers:[Container] initContainers:[Container] nodeSelector:{string} nodeName:string schedulerName:string "
     "affinity:Affinity tolerations:[Toleration] priority:int priorityClassName:string runtimeClassName:string "
     "preemptionPolicy:word(PreemptLowerPriority|Never) hostNetwork:bool overhead:{quantity} resources:Resources "
     "schedulingGates:[Gate] topologySpreadConstraints:[Spread] volumes:[Volume] ephemeralContainers restartPolicy "
     "terminationGracePeriodSeconds activeDeadlineSeconds dnsPolicy serviceAccountName serviceAccount "
     "automountServiceAccountToken hostPID hostIPC shareProcessNamespace securityContext imagePullSecrets hostname "
     "subdomain hostAliases dnsConfig readinessGates enableServiceLinks setHostnameAsFQDN os hostUsers:bool "
     "resourceClaims:[PodClaim] hostnameOverride schedulingGroup"},
    {"Container",
     "name:string image:string resources:Resources ports:[Port] restartPolicy:string "
     "restartPolicyRules:[RestartRule] command args "
     "workingDir envFrom env resizePolicy volumeMounts volumeDevices livenessProbe readinessProbe startupProbe "
     "lifecycle terminationMessagePath terminationMessagePolicy imagePullPolicy securityContext stdin stdinOnce tty"},
    {"RestartRule", "action:string exitCodes"},
    {"PodClaim", "name:string resourceClaimName:string resourceClaimTemplateName:string"},
    {"Volume",
     "name:string persistentVolumeClaim:ClaimVolume ephemeral gcePersistentDisk:GcePd awsElasticBlockStore:AwsEbs "
     "azureDisk:AzureDisk azureFile:AzureFile cinder:Cinder portworxVolume:Portworx vsphereVolume:Vsphere iscsi:Iscsi "
     "rbd:Rbd csi:Csi image:ImageVolume hostPath emptyDir gitRepo secret nfs glusterfs flexVolume cephfs flocker "
     "downwardAPI fc configMap quobyte photonPersistentDisk projected scaleIO storageos"},
    {"ClaimVolume", "claimName:string readOnly:bool"},
    {"GcePd", "pdName:string readOnly:bool fsType partition"},
    {"AwsEbs", "volumeID:string readOnly:bool fsType partition"},
    {"AzureDisk", "diskURI:string readOnly:bool diskName cachingMode fsType kind"},
    {"AzureFile", "shareName:string readOnly:bool secretName"},
    {"Cinder", "volumeID:string readOnly:bool fsType secretRef"},
    {"Portworx", "volumeID:string readOnly:bool fsType"},
    {"Vsphere", "volumePath:string fsType storagePolicyName storagePolicyID"},
    {"Iscsi",
     "iqn:string readOnly:bool targetPortal lun iscsiInterface fsType portals chapAuthDiscovery chapAuthSession "
     "secretRef initiatorName"},
    {"Rbd", "monitors:[string] image:string pool:string readOnly:bool fsType user keyring secretRef"},
    {"Csi", "driver:string readOnly:bool fsType volumeAttributes nodePublishSecretRef"},
    {"ImageVolume", "reference:string pullPolicy"},
    {"Resources", "requests:{quantity} limits:{quantity} claims"},
    {"Port", "name:string hostPort:int containerPort:int protocol:word(TCP|UDP|SCTP) hostIP:string"},
    {"Gate", "name:string"},
    {"Toleration",
     "key:string operator:word(Equal|Exists|Lt|Gt) value:string effect:word(NoSchedule|PreferNoSchedule|NoExecute) "
     "tolerationSeconds:int"},
    {"Affinity", "nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAffinity"},
    {"NodeAffinity",
     "requiredDuringSchedulingIgnoredDuringExecution:NodeSelector "
     "preferredDuringSchedulingIgnoredDuringExecution:[PreferredNode]"},
    {"NodeSelector", "nodeSelectorTerms:[NodeTerm]"},
    {"PreferredNode", "weight:int preference:NodeTerm"},
    {"NodeTerm", "matchExpressions:[NodeRequirement] matchFields:[NodeRequirement]"},
    {"NodeRequirement", "key:string operator:word(In|NotIn|Exists|DoesNotExist|Gt|Lt) values:[string]"},
    {"PodAffinity",
     "requiredDuringSchedulingIgnoredDuringExecution:[PodTerm] "
     "preferredDuringSchedulingIgnoredDuringExecution:[PreferredPod]"},
    {"PreferredPod", "weight:int podAffinityTerm:PodTerm"},
    {"PodTerm",
     "labelSelector:Selector namespaceSelector:Selector namespaces:[string] topologyKey:string "
     "matchLabelKeys:[string] mismatchLabelKeys:[string]"},
    {"Selector", "matchLabels:{string} matchExpressions:[LabelRequirement]"},
    {"LabelRequirement", "key:string operator:word(In|NotIn|Exists|DoesNotExist) values:[string]"},
    {"Spread",
     "maxSkew:int topologyKey:string whenUnsatisfiable:word(DoNotSchedule|ScheduleAnyway) labelSelector:Selector "
     "minDomains:int nodeAffinityPolicy:word(Honor|Ignore) nodeTaintsPolicy:word(Honor|Ignore) "
     "matchLabelKeys:[string]"},
    {"Node", "apiVersion kind metadata:Meta spec:NodeSpec status:NodeStatus"},
    {"NodeSpec", "unschedulable:bool taints:[Taint] podCIDR podCIDRs providerID configSource externalID"},
    {"Taint", "key:string value:string effect:word(NoSchedule|PreferNoSchedule|NoExecute) timeAdded"},
    {"NodeStatus",
     "capacity:{quantity} allocatable:{quantity} images:[Image] phase conditions addresses daemonEndpoints nodeInfo "
     "volumesInUse volumesAttached config runtimeHandlers features declaredFeatures:[string]"},
    {"Image", "names:[string] sizeBytes:int"},
    {"Deployment", "apiVersion kind metadata:Meta spec:DeploymentSpec status"},
    {"DeploymentSpec",
     "replicas:int template:PodTemplate selector:Selector strategy minReadySeconds revisionHistoryLimit paused "
     "progressDeadlineSeconds"},
    {"ReplicaSet", "apiVersion kind metadata:Meta spec:ReplicaSetSpec status"},
    {"ReplicaSetSpec", "replicas:int template:PodTemplate selector:Selector minReadySeconds"},
    {"ReplicationController", "apiVersion kind metadata:Meta spec:ReplicationControllerSpec status"},
    {"ReplicationControllerSpec", "replicas:int template:PodTemplate selector:{string} minReadySeconds"},
    {"StatefulSet", "apiVersion kind metadata:Meta spec:StatefulSetSpec status"},
    {"StatefulSetSpec",
     "replicas:int template:PodTemplate selector:Selector volumeClaimTemplates serviceName podManagementPolicy "
     "updateStrategy revisionHistoryLimit minReadySeconds persistentVolumeClaimRetentionPolicy ordinals"},
    {"DaemonSet", "apiVersion kind metadata:Meta spec:DaemonSetSpec status"},
    {"DaemonSetSpec", "template:PodTemplate selector:Selector updateStrategy minReadySeconds revisionHistoryLimit"},
    {"Job", "apiVersion kind metadata:Meta spec:JobSpec status"},
    {"JobSpec",
     "parallelism:int completions:int suspend:bool template:PodTemplate selector activeDeadlineSeconds "
     "podFailurePolicy successPolicy backoffLimit backoffLimitPerIndex maxFailedIndexes manualSelector "
     "ttlSecondsAfterFinished completionMode podReplacementPolicy managedBy scheduling"},
    {"PriorityClass",
     "apiVersion kind metadata:Meta value:int globalDefault:bool description:string "
     "preemptionPolicy:word(PreemptLowerPriority|Never)"},
    {"RuntimeClass", "apiVersion kind metadata:Meta handler:string overhead:Overhead scheduling:RuntimeScheduling"},
    {"Overhead", "podFixed:{quantity}"},
    {"RuntimeScheduling", "nodeSelector:{string} tolerations:[Toleration]"},
    {"LimitRange", "apiVersion kind metadata:Meta spec:LimitRangeSpec"},
    {"LimitRangeSpec", "limits:[Limit]"},
    {"Limit",
     "type:string max:{quantity} min:{quantity} default:{quantity} defaultRequest:{quantity} "
     "maxLimitRequestRatio:{quantity}"},
};

using Fields = std::map<std::string, std::string, std::less<>>;  // name -> type; "": any

const std::map<std::string_view, Fields>& Types() {
  static const auto types = [] {
    std::map<std::string_view, Fields> all;
    for (const TypeText& type : kTypes) {
      std::istringstream fields{std::string(type.fields)};
      for (std::string field; fields >> field;) {
        const size_t colon = field.find(':');
        all[type.name][field.substr(0, colon)] = colon == std::string::npos ? "" : field.substr(colon + 1);
      }
    }
    return all;
  }();
  return types;
}

class Checker {
 public:
  std::vector<SchemaFault> Run(std::string_view type, const Value& object) {
    Check(object, std::string(type), "");
    return std::move(faults_);
  }

 private:
  void Add(const Value& at, const std::string& path, std::string reason) {
    faults_.push_back({at.mark(), path, std::move(reason)});
  }
  bool Expect(bool fits, const Value& value, const std::string& path, const char* what) {
    if (fits) return true;
    Add(value, path, fields::WrongType(value, what));
    return false;
  }

  void Check(const Value& value, const std::string& type, const std::string& path) {
    if (type.empty() || value.is_null()) return;  // null counts as absent
    if (type == "string") return void(Expect(value.is_string(), value, path, "a string"));
    if (type == "int") return void(Expect(value.is_int(), value, path, "an integer"));
    if (type == "bool") return void(Expect(value.is_bool(), value, path, "a boolean"));
    if (type == "quantity") return CheckQuantity(value, path);
    if (type.starts_with("word(")) return CheckWord(value, type, path);
    if (type.front() == '[') return CheckList(value, type.substr(1, type.size() - 2), path);
    if (type.front() == '{') return CheckMap(value, type.substr(1, type.size() - 2), path);
    CheckFields(value, Types().at(type), path);
  }

  void CheckQuantity(const Value& value, const std::string& path) {
    const auto quantity = admission::QuantityOf(value);
    if (!quantity) {
      return Add(value, path,
                 fields::Invalid(value,
                                 "quantities must match the regular expression "
                                 "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"));
    }
    if (*quantity < base::Quantity{}) {
      Add(value, path, fields::Invalid(admission::QuantityText(value), "must be greater than or equal to 0"));
    }
  }

  void CheckWord(const Value& value, const std::string& type, const std::string& path) {
    if (!Expect(value.is_string(), value, path, "a string") || value.string().empty()) return;
    std::istringstream words(type.substr(5, type.size() - 6));
    std::vector<std::string> supported;
    for (std::string word; std::getline(words, word, '|');) {
      if (word == value.string()) return;
      supported.push_back(word);
    }
    Add(value, path, fields::Unsupported(value, supported));
  }

  void CheckList(const Value& value, const std::string& item_type, const std::string& path) {
    if (!Expect(value.is_array(), value, path, "a list")) return;
    for (size_t i = 0; i < value.array().size(); ++i) {
      Check(value.array()[i], item_type, fields::Index(path, i));
    }
  }

  void CheckMap(const Value& value, const std::string& item_type, const std::string& path) {
    if (!Expect(value.is_object(), value, path, "a map")) return;
    for (const auto& [key, item] : value.object()) Check(item, item_type, path + "[" + base::Quoted(key) + "]");
  }

  void CheckFields(const Value& value, const Fields& fields, const std::string& path) {
    if (!Expect(value.is_object(), value, path, "a map")) return;
    for (const auto& [key, item] : value.object()) {
      const std::string child = fields::Child(path, key);
      const auto field = fields.find(key);
      if (field == fields.end()) {
        faults_.push_back({item.key_mark(), child, "unknown field " + base::Quoted(key)});
      } else {
        Check(item, field->second, child);
      }
    }
  }

  std::vector<SchemaFault> faults_;
};

}  // namespace

bool IsKnownKind(std::string_view api_version, std::string_view kind) {
  return std::any_of(std::begin(kKinds), std::end(kKinds),
                     [&](const KindName& k) { return k.api_version == api_version && k.kind == kind; });
}

std::vector<SchemaFault> CheckSchema(const std::string& kind, const Value& object) {
  return Types().contains(kind) ? Checker().Run(kind, object) : std::vector<SchemaFault>();
}

}  // namespace berth::manifests
