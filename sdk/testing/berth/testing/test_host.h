/* berth/testing/test_host.h - the fake host of plugin_under_test.hpp behind a C interface, for unit tests of plugins
 * that are written in other languages than C++. libberth_test_host.so exports these functions; a test links the library
 * or opens it with dlopen. The Rust crate (berth_plugin::testing) is a layer over them.
 *
 * A test handle has one plugin, its fake host, and its cluster. Almost everything is a verb with a JSON document:
 *
 *   berth_test *test = berth_test_open(berth_entry_v1, "spareRoom");
 *   berth_test_call(test, "add_node", text("{\"name\": \"n1\", \"allocatable\": {\"cpu\": 4000}}"));
 *   berth_test_call(test, "start", text("{}"));                          // {"code": 0, "reasons": []}
 *   berth_test_call(test, "attempt", text("{\"pod\": {\"name\": \"p\"}}"));  // {"attempt": 1}
 *   berth_test_call(test, "score", text("{\"attempt\": 1}"));  // {"code": 0, "reasons": [], "nodes": {"n1": 100}}
 *
 * sdk/testing/test_host in Berth's repository lists the verbs (plugin_verbs.cc, attempt_verbs.cc) and the documents
 * (documents.h).
 *
 * Errors:
 * - The fake host refuses a call, because the plugin is not started or does not offer the extension point, or because
 *   the document is wrong: the answer is {"mistake": TEXT}.
 * - The plugin fails: the code is BERTH_ERROR, with its reasons. In a call without a status: one more of the "faults".
 * - The plugin breaks a rule of the ABI: one more of the "violations". A test must read them and fail.
 *
 * Threads: one thread at a time for each handle; handles are independent. Calls to the plugin run on the calling
 * thread.
 *
 * Ownership: an answer is good until the next call with the same handle. The entry, and what it points to, outlive the
 * handle. */
#ifndef BERTH_TESTING_TEST_HOST_H
#define BERTH_TESTING_TEST_HOST_H
#include "berth/entry.h"
#include "berth/host.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_TEST_HOST_VERSION 1u /* grows when the meaning of a function or a verb changes */

#if defined(__GNUC__)
#define BERTH_TEST_API __attribute__((visibility("default")))
#else
#define BERTH_TEST_API
#endif

typedef struct berth_test berth_test;
typedef const berth_entry* (*berth_test_entry)(uint32_t host_minor); /* berth_entry_v1 of the library under test */

/* [any] BERTH_TEST_HOST_VERSION of the library. */
BERTH_TEST_API uint32_t berth_test_version(void);
/* [any] Walks over answers. Static. */
BERTH_TEST_API const berth_values* berth_test_values(void);

/* Makes a handle for the plugin of that name, but does not call the plugin yet. NULL: the entry returned NULL. */
BERTH_TEST_API berth_test* berth_test_open(berth_test_entry entry, const char* plugin);
/* Ends the attempts, stops the plugin, and frees the handle. NULL is allowed. */
BERTH_TEST_API void berth_test_close(berth_test* test);

/* Makes one call. json: the verb's document; its members may be in any order. The answer is an object, never NULL. */
BERTH_TEST_API const berth_value* berth_test_call(berth_test* test, const char* verb, berth_str json);

/* Like the verb "start", but the active plugin of `before` prepares the instance (berth/draft/succession.h). */
BERTH_TEST_API const berth_value* berth_test_start_from(berth_test* test, berth_test* before);
/* Makes the plugin of `test` active; the plugin of `before` has prepared it. */
BERTH_TEST_API const berth_value* berth_test_commit(berth_test* test, berth_test* before);

#ifdef __cplusplus
}
#endif
#endif
