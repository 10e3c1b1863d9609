/* berth/random.h (since 1.1) - a random seed per attempt, so that a simulation can be repeated. */
#ifndef BERTH_RANDOM_H
#define BERTH_RANDOM_H
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
