/* berth/draft/pods.h - DRAFT: the pods of the cluster by label, with and without a node, as kube-scheduler's pod lister. */
#ifndef BERTH_DRAFT_PODS_H
#define BERTH_DRAFT_PODS_H
#include "berth/host.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_SERVICE_PODS "berth.host.pods/1"
typedef struct berth_pods {
  uint32_t size, rsv;
  /* [serial] const berth_pod *: the pods of namespace ns whose label key has this value, as the API server last reported
   * them, sorted by name. A pod that has finished (Succeeded, Failed) is not among them; an assumed pod has no node yet.
   * Lives until the running call returns. The first use of a key reads every pod; from then on the host maintains the lists
   * of that key, so use a fixed set of keys. */
  berth_list (*labeled)(const berth_host *host, berth_id ns, berth_id key, berth_id value);
} berth_pods;
#ifdef __cplusplus
}
#endif
#endif
