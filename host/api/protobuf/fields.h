// The numbers of the fields that the source files name. Written by generate.py: do not edit.
#pragma once

#include <cstdint>

namespace berth::protobuf::fields {

struct AWSElasticBlockStoreVolumeSource {
  static constexpr uint32_t kVolumeID = 1;
  static constexpr uint32_t kReadOnly = 4;
};
struct Affinity {
  static constexpr uint32_t kNodeAffinity = 1;
  static constexpr uint32_t kPodAffinity = 2;
  static constexpr uint32_t kPodAntiAffinity = 3;
};
struct AzureDiskVolumeSource {
  static constexpr uint32_t kDiskURI = 2;
  static constexpr uint32_t kReadOnly = 5;
};
struct AzureFileVolumeSource {
  static constexpr uint32_t kShareName = 2;
  static constexpr uint32_t kReadOnly = 3;
};
struct Binding {
  static constexpr uint32_t kMetadata = 1;
  static constexpr uint32_t kTarget = 2;
};
struct CSIVolumeSource {
  static constexpr uint32_t kDriver = 1;
  static constexpr uint32_t kReadOnly = 2;
};
struct CinderVolumeSource {
  static constexpr uint32_t kVolumeID = 1;
  static constexpr uint32_t kReadOnly = 3;
};
struct Container {
  static constexpr uint32_t kName = 1;
  static constexpr uint32_t kImage = 2;
  static constexpr uint32_t kPorts = 6;
  static constexpr uint32_t kResources = 8;
  static constexpr uint32_t kRestartPolicy = 24;
  static constexpr uint32_t kRestartPolicyRules = 25;
};
struct ContainerExtendedResourceRequest {
  static constexpr uint32_t kContainerName = 1;
  static constexpr uint32_t kResourceName = 2;
  static constexpr uint32_t kRequestName = 3;
};
struct ContainerImage {
  static constexpr uint32_t kNames = 1;
  static constexpr uint32_t kSizeBytes = 2;
};
struct ContainerPort {
  static constexpr uint32_t kHostPort = 2;
  static constexpr uint32_t kProtocol = 4;
  static constexpr uint32_t kHostIP = 5;
};
struct ContainerRestartRule {
  static constexpr uint32_t kAction = 1;
};
struct ContainerStatus {
  static constexpr uint32_t kName = 1;
  static constexpr uint32_t kAllocatedResources = 10;
  static constexpr uint32_t kResources = 11;
};
struct CoreEvent {
  static constexpr uint32_t kMetadata = 1;
  static constexpr uint32_t kInvolvedObject = 2;
  static constexpr uint32_t kReason = 3;
  static constexpr uint32_t kMessage = 4;
  static constexpr uint32_t kSource = 5;
  static constexpr uint32_t kFirstTimestamp = 6;
  static constexpr uint32_t kLastTimestamp = 7;
  static constexpr uint32_t kCount = 8;
  static constexpr uint32_t kType = 9;
  static constexpr uint32_t kReportingComponent = 14;
};
struct Duration {
  static constexpr uint32_t kDuration = 1;
};
struct Event {
  static constexpr uint32_t kMetadata = 1;
  static constexpr uint32_t kEventTime = 2;
  static constexpr uint32_t kSeries = 3;
  static constexpr uint32_t kReportingController = 4;
  static constexpr uint32_t kReportingInstance = 5;
  static constexpr uint32_t kAction = 6;
  static constexpr uint32_t kReason = 7;
  static constexpr uint32_t kRegarding = 8;
  static constexpr uint32_t kRelated = 9;
  static constexpr uint32_t kNote = 10;
  static constexpr uint32_t kType = 11;
};
struct EventSeries {
  static constexpr uint32_t kCount = 1;
  static constexpr uint32_t kLastObservedTime = 2;
};
struct EventSource {
  static constexpr uint32_t kComponent = 1;
};
struct GCEPersistentDiskVolumeSource {
  static constexpr uint32_t kPdName = 1;
  static constexpr uint32_t kReadOnly = 4;
};
struct ISCSIVolumeSource {
  static constexpr uint32_t kIqn = 2;
  static constexpr uint32_t kReadOnly = 6;
};
struct ImageVolumeSource {
  static constexpr uint32_t kReference = 1;
};
struct IntOrString {
  static constexpr uint32_t kType = 1;
  static constexpr uint32_t kIntVal = 2;
  static constexpr uint32_t kStrVal = 3;
};
struct LabelSelector {
  static constexpr uint32_t kMatchLabels = 1;
  static constexpr uint32_t kMatchExpressions = 2;
};
struct LabelSelectorRequirement {
  static constexpr uint32_t kKey = 1;
  static constexpr uint32_t kOperator = 2;
  static constexpr uint32_t kValues = 3;
};
struct Lease {
  static constexpr uint32_t kMetadata = 1;
  static constexpr uint32_t kSpec = 2;
};
struct LeaseSpec {
  static constexpr uint32_t kHolderIdentity = 1;
  static constexpr uint32_t kLeaseDurationSeconds = 2;
  static constexpr uint32_t kAcquireTime = 3;
  static constexpr uint32_t kRenewTime = 4;
  static constexpr uint32_t kLeaseTransitions = 5;
  static constexpr uint32_t kStrategy = 6;
  static constexpr uint32_t kPreferredHolder = 7;
};
struct ListMeta {
  static constexpr uint32_t kResourceVersion = 2;
  static constexpr uint32_t kContinue = 3;
};
struct Node {
  static constexpr uint32_t kMetadata = 1;
  static constexpr uint32_t kSpec = 2;
  static constexpr uint32_t kStatus = 3;
};
struct NodeAffinity {
  static constexpr uint32_t kRequiredDuringSchedulingIgnoredDuringExecution = 1;
  static constexpr uint32_t kPreferredDuringSchedulingIgnoredDuringExecution = 2;
};
struct NodeCondition {
  static constexpr uint32_t kType = 1;
  static constexpr uint32_t kStatus = 2;
};
struct NodeSelector {
  static constexpr uint32_t kNodeSelectorTerms = 1;
};
struct NodeSelectorRequirement {
  static constexpr uint32_t kKey = 1;
  static constexpr uint32_t kOperator = 2;
  static constexpr uint32_t kValues = 3;
};
struct NodeSelectorTerm {
  static constexpr uint32_t kMatchExpressions = 1;
  static constexpr uint32_t kMatchFields = 2;
};
struct NodeSpec {
  static constexpr uint32_t kUnschedulable = 4;
  static constexpr uint32_t kTaints = 5;
};
struct NodeStatus {
  static constexpr uint32_t kAllocatable = 2;
  static constexpr uint32_t kConditions = 4;
  static constexpr uint32_t kImages = 8;
  static constexpr uint32_t kDeclaredFeatures = 14;
};
struct ObjectMeta {
  static constexpr uint32_t kName = 1;
  static constexpr uint32_t kNamespace = 3;
  static constexpr uint32_t kUid = 5;
  static constexpr uint32_t kResourceVersion = 6;
  static constexpr uint32_t kGeneration = 7;
  static constexpr uint32_t kCreationTimestamp = 8;
  static constexpr uint32_t kDeletionTimestamp = 9;
  static constexpr uint32_t kLabels = 11;
  static constexpr uint32_t kAnnotations = 12;
  static constexpr uint32_t kOwnerReferences = 13;
};
struct ObjectReference {
  static constexpr uint32_t kKind = 1;
  static constexpr uint32_t kNamespace = 2;
  static constexpr uint32_t kName = 3;
  static constexpr uint32_t kUid = 4;
  static constexpr uint32_t kApiVersion = 5;
  static constexpr uint32_t kResourceVersion = 6;
};
struct OwnerReference {
  static constexpr uint32_t kKind = 1;
  static constexpr uint32_t kName = 3;
  static constexpr uint32_t kUid = 4;
  static constexpr uint32_t kApiVersion = 5;
  static constexpr uint32_t kController = 6;
};
struct PersistentVolumeClaimVolumeSource {
  static constexpr uint32_t kClaimName = 1;
  static constexpr uint32_t kReadOnly = 2;
};
struct Pod {
  static constexpr uint32_t kMetadata = 1;
  static constexpr uint32_t kSpec = 2;
  static constexpr uint32_t kStatus = 3;
};
struct PodAffinity {
  static constexpr uint32_t kRequiredDuringSchedulingIgnoredDuringExecution = 1;
  static constexpr uint32_t kPreferredDuringSchedulingIgnoredDuringExecution = 2;
};
struct PodAffinityTerm {
  static constexpr uint32_t kLabelSelector = 1;
  static constexpr uint32_t kNamespaces = 2;
  static constexpr uint32_t kTopologyKey = 3;
  static constexpr uint32_t kNamespaceSelector = 4;
};
struct PodCondition {
  static constexpr uint32_t kType = 1;
  static constexpr uint32_t kStatus = 2;
  static constexpr uint32_t kLastTransitionTime = 4;
  static constexpr uint32_t kReason = 5;
  static constexpr uint32_t kMessage = 6;
};
struct PodExtendedResourceClaimStatus {
  static constexpr uint32_t kRequestMappings = 1;
  static constexpr uint32_t kResourceClaimName = 2;
};
struct PodList {
  static constexpr uint32_t kMetadata = 1;
  static constexpr uint32_t kItems = 2;
};
struct PodResourceClaim {
  static constexpr uint32_t kName = 1;
  static constexpr uint32_t kResourceClaimName = 3;
  static constexpr uint32_t kResourceClaimTemplateName = 4;
};
struct PodResourceClaimStatus {
  static constexpr uint32_t kName = 1;
  static constexpr uint32_t kResourceClaimName = 2;
};
struct PodSchedulingGate {
  static constexpr uint32_t kName = 1;
};
struct PodSpec {
  static constexpr uint32_t kVolumes = 1;
  static constexpr uint32_t kContainers = 2;
  static constexpr uint32_t kNodeSelector = 7;
  static constexpr uint32_t kNodeName = 10;
  static constexpr uint32_t kHostNetwork = 11;
  static constexpr uint32_t kAffinity = 18;
  static constexpr uint32_t kSchedulerName = 19;
  static constexpr uint32_t kInitContainers = 20;
  static constexpr uint32_t kTolerations = 22;
  static constexpr uint32_t kPriorityClassName = 24;
  static constexpr uint32_t kPriority = 25;
  static constexpr uint32_t kPreemptionPolicy = 31;
  static constexpr uint32_t kOverhead = 32;
  static constexpr uint32_t kTopologySpreadConstraints = 33;
  static constexpr uint32_t kHostUsers = 37;
  static constexpr uint32_t kSchedulingGates = 38;
  static constexpr uint32_t kResourceClaims = 39;
  static constexpr uint32_t kResources = 40;
};
struct PodStatus {
  static constexpr uint32_t kPhase = 1;
  static constexpr uint32_t kConditions = 2;
  static constexpr uint32_t kStartTime = 7;
  static constexpr uint32_t kContainerStatuses = 8;
  static constexpr uint32_t kInitContainerStatuses = 10;
  static constexpr uint32_t kNominatedNodeName = 11;
  static constexpr uint32_t kResourceClaimStatuses = 15;
  static constexpr uint32_t kExtendedResourceClaimStatus = 18;
  static constexpr uint32_t kAllocatedResources = 19;
  static constexpr uint32_t kResources = 20;
};
struct PortworxVolumeSource {
  static constexpr uint32_t kVolumeID = 1;
  static constexpr uint32_t kReadOnly = 3;
};
struct PreferredSchedulingTerm {
  static constexpr uint32_t kWeight = 1;
  static constexpr uint32_t kPreference = 2;
};
struct Quantity {
  static constexpr uint32_t kString = 1;
};
struct RBDVolumeSource {
  static constexpr uint32_t kMonitors = 1;
  static constexpr uint32_t kImage = 2;
  static constexpr uint32_t kPool = 4;
  static constexpr uint32_t kReadOnly = 8;
};
struct RawExtension {
  static constexpr uint32_t kRaw = 1;
};
struct ResourceRequirements {
  static constexpr uint32_t kLimits = 1;
  static constexpr uint32_t kRequests = 2;
};
struct Status {
  static constexpr uint32_t kMessage = 3;
  static constexpr uint32_t kReason = 4;
  static constexpr uint32_t kDetails = 5;
  static constexpr uint32_t kCode = 6;
};
struct StatusDetails {
  static constexpr uint32_t kRetryAfterSeconds = 5;
};
struct Taint {
  static constexpr uint32_t kKey = 1;
  static constexpr uint32_t kValue = 2;
  static constexpr uint32_t kEffect = 3;
  static constexpr uint32_t kTimeAdded = 4;
};
struct Timestamp {
  static constexpr uint32_t kSeconds = 1;
  static constexpr uint32_t kNanos = 2;
};
struct Toleration {
  static constexpr uint32_t kKey = 1;
  static constexpr uint32_t kOperator = 2;
  static constexpr uint32_t kValue = 3;
  static constexpr uint32_t kEffect = 4;
  static constexpr uint32_t kTolerationSeconds = 5;
};
struct TopologySpreadConstraint {
  static constexpr uint32_t kMaxSkew = 1;
  static constexpr uint32_t kTopologyKey = 2;
  static constexpr uint32_t kWhenUnsatisfiable = 3;
  static constexpr uint32_t kLabelSelector = 4;
  static constexpr uint32_t kMinDomains = 5;
  static constexpr uint32_t kNodeAffinityPolicy = 6;
  static constexpr uint32_t kNodeTaintsPolicy = 7;
  static constexpr uint32_t kMatchLabelKeys = 8;
};
struct TypeMeta {
  static constexpr uint32_t kApiVersion = 1;
  static constexpr uint32_t kKind = 2;
};
struct Unknown {
  static constexpr uint32_t kTypeMeta = 1;
  static constexpr uint32_t kRaw = 2;
};
struct Volume {
  static constexpr uint32_t kName = 1;
  static constexpr uint32_t kVolumeSource = 2;
};
struct VolumeSource {
  static constexpr uint32_t kGcePersistentDisk = 3;
  static constexpr uint32_t kAwsElasticBlockStore = 4;
  static constexpr uint32_t kIscsi = 8;
  static constexpr uint32_t kPersistentVolumeClaim = 10;
  static constexpr uint32_t kRbd = 11;
  static constexpr uint32_t kCinder = 13;
  static constexpr uint32_t kAzureFile = 18;
  static constexpr uint32_t kVsphereVolume = 20;
  static constexpr uint32_t kAzureDisk = 22;
  static constexpr uint32_t kPortworxVolume = 24;
  static constexpr uint32_t kCsi = 28;
  static constexpr uint32_t kEphemeral = 29;
  static constexpr uint32_t kImage = 30;
};
struct VsphereVirtualDiskVolumeSource {
  static constexpr uint32_t kVolumePath = 1;
};
struct WatchEvent {
  static constexpr uint32_t kType = 1;
  static constexpr uint32_t kObject = 2;
};
struct WeightedPodAffinityTerm {
  static constexpr uint32_t kWeight = 1;
  static constexpr uint32_t kPodAffinityTerm = 2;
};

}  // namespace berth::protobuf::fields
