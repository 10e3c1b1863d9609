/* berth/draft/random.h - DRAFT: random numbers that are seeded per attempt, so that simulations can be repeated. */
#ifndef BERTH_DRAFT_RANDOM_H
#define BERTH_DRAFT_RANDOM_H
#include "berth/host.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_SERVICE_RANDOM "berth.host.random/1"
typedef struct berth_random {
  uint32_t size, rsv;
  uint64_t (*seed)(const berth_host *host, const berth_cycle *cycle); /* [parallel] the attempt's seed for this instance */
} berth_random;
#ifdef __cplusplus
}
#endif
#endif
