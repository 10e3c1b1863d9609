/* berth/kept.h (since 1.2) - results that the host keeps although they depend on data of the plugin. */
#ifndef BERTH_KEPT_H
#define BERTH_KEPT_H
#include "berth/plugin.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_SERVICE_KEPT "berth.host.kept/1"
/* For a plugin whose results of Filter or Score depend on data of its own about a row, such as a measured load. It declares
 * BERTH_REUSE for the other things that its results depend on, and says here when its data changes. It must need this
 * service: a host without it would keep results too long. */
typedef struct berth_kept {
  uint32_t size, rsv;
  /* [serial] The data about this row has changed. A row without a node is ignored. Costs a few nanoseconds. */
  void (*row_changed)(const berth_host *host, uint32_t row);
  /* [serial] The data about every row has changed. */
  void (*all_changed)(const berth_host *host);
} berth_kept;
#ifdef __cplusplus
}
#endif
#endif
