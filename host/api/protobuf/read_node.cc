#include "api/protobuf/read_node.h"

#include "api/protobuf/fields.h"
#include "api/protobuf/read_parts.h"
#include "codec/text/rfc3339.h"

namespace berth::protobuf {

void NodeReading::Read(std::string_view text) {
  draft_.Clear();
  times_.clear();
  Message message(text);
  while (message.Next()) {
    switch (message.field()) {
      case fields::Node::kMetadata: ReadMetadata(message, draft_.metadata, true); break;
      case fields::Node::kSpec: ReadSpec(message); break;
      case fields::Node::kStatus: ReadStatus(message); break;
    }
  }
}

void NodeReading::ReadSpec(Message& outer) {
  Message message(outer, "spec");
  while (message.Next()) {
    switch (message.field()) {
      case fields::NodeSpec::kUnschedulable: draft_.unschedulable = message.Bool(); break;
      case fields::NodeSpec::kTaints: ReadTaint(message); break;
    }
  }
}

void NodeReading::ReadTaint(Message& outer) {
  Message message(outer, "taints", draft_.taints.size());
  api::TaintDraft& taint = draft_.taints.emplace_back();
  while (message.Next()) {
    switch (message.field()) {
      case fields::Taint::kKey: taint.key = message.Text(); break;
      case fields::Taint::kValue: taint.value = message.Text(); break;
      case fields::Taint::kEffect: taint.effect = message.Text(); break;
      case fields::Taint::kTimeAdded:
        if (const int64_t added = message.Time("timeAdded"); added != BERTH_NO_TIME) {
          taint.time_added = times_.emplace_back(text::TimeText(added));
        }
        break;
    }
  }
}

void NodeReading::ReadStatus(Message& outer) {
  Message message(outer, "status");
  while (message.Next()) {
    switch (message.field()) {
      case fields::NodeStatus::kImages: ReadImage(message); break;
      case fields::NodeStatus::kConditions: ReadCondition(message); break;
      case fields::NodeStatus::kDeclaredFeatures: ReadTexts(message, draft_.declared_features); break;
      case fields::NodeStatus::kAllocatable: ReadQuantities(message, "allocatable", draft_.allocatable); break;
    }
  }
}

void NodeReading::ReadImage(Message& outer) {
  Message message(outer, "images");
  api::ImageDraft& image = draft_.images.emplace_back();
  while (message.Next()) {
    switch (message.field()) {
      case fields::ContainerImage::kNames: image.names = ReadTexts(message, draft_.image_names); break;
      case fields::ContainerImage::kSizeBytes: image.bytes = message.Int64(); break;
    }
  }
}

void NodeReading::ReadCondition(Message& outer) {
  Message message(outer, "conditions");
  api::TextPair& condition = draft_.conditions.emplace_back();
  while (message.Next()) {
    switch (message.field()) {
      case fields::NodeCondition::kType: condition.key = message.Text(); break;
      case fields::NodeCondition::kStatus: condition.value = message.Text(); break;
    }
  }
}

}  // namespace berth::protobuf
