// berth.host.kept/1: a plugin says for which rows the host must call it again.
#include "berth/kept.h"
#include "plugin/instance/instance.h"
#include "plugin/instance/services.h"

namespace berth::plugin {
namespace {

void RowChanged(const berth_host* host, uint32_t row) {
  if (Instance* instance = ContextOf(host).instance) instance->own_changes().Append(row);
}

void AllChanged(const berth_host* host) {
  if (Instance* instance = ContextOf(host).instance) instance->own_changes().AppendAll();
}

}  // namespace

const void* KeptService() {
  static const berth_kept table{sizeof table, 0, RowChanged, AllChanged};
  return &table;
}

}  // namespace berth::plugin
