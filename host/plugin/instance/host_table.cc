#include "plugin/instance/host_table.h"

#include <string>
#include <string_view>

#include "plugin/instance/instance.h"
#include "plugin/instance/known_id.h"

namespace berth::plugin {
namespace {

const void* FindService(const berth_host* host, const char* id) { return ContextOf(host).services->Find(id); }

void Because(const berth_host* host, berth_cycle*, const berth_str* texts, uint32_t n) {
  std::vector<std::string>* reasons = ReasonsOfRunningCall(host);
  if (reasons == nullptr) return;  // outside a call there is no status to explain
  reasons->clear();
  for (uint32_t i = 0; i < n; ++i) reasons->emplace_back(texts[i].ptr, texts[i].len);
}

berth_id InternText(const berth_host* host, berth_str text) {
  HostContext& context = ContextOf(host);
  const base::Id id = context.services->intern.ids.Intern(std::string_view(text.ptr, text.len));
  if (context.instance != nullptr) context.instance->handles().OwnId(id);
  return id;
}

void KeepId(const berth_host* host, berth_id id) {
  HostContext& context = ContextOf(host);
  if (!IsKnownId(context.services->intern.ids, id)) return;
  context.services->intern.ids.Keep(id);
  if (context.instance != nullptr) context.instance->handles().OwnId(id);
}

void DropId(const berth_host* host, berth_id id) {
  HostContext& context = ContextOf(host);
  if (context.instance != nullptr) context.instance->handles().DropId(id);
}

berth_str TextOf(const berth_host* host, berth_id id) {
  const std::string_view text = ContextOf(host).services->intern.ids.Text(id);
  return {text.data(), text.size()};
}

}  // namespace

berth_host MakeHost(HostContext* context) {
  return berth_host{sizeof(berth_host), BERTH_ABI_MINOR, context, FindService, Because,
                    InternText,         KeepId,          DropId,  TextOf};
}

}  // namespace berth::plugin
