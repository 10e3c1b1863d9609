#include "client/http/url_template.h"

#include <gtest/gtest.h>

namespace berth::http {
namespace {

struct TemplateCase {
  const char* path;
  const char* want;
};

TEST(UrlTemplates, LeaveTheNamesOfObjectsOut) {
  for (const TemplateCase& c : {
           TemplateCase{.path = "/api/v1/pods?limit=500", .want = "/api/v1/pods"},
           TemplateCase{.path = "/api/v1/nodes/n1", .want = "/api/v1/nodes/{name}"},
           TemplateCase{.path = "/api/v1/namespaces", .want = "/api/v1/namespaces"},
           TemplateCase{.path = "/api/v1/namespaces/blue", .want = "/api/v1/namespaces/{name}"},
           TemplateCase{.path = "/api/v1/namespaces/blue/pods", .want = "/api/v1/namespaces/{namespace}/pods"},
           TemplateCase{.path = "/api/v1/namespaces/blue/pods/web/binding",
           .want = "/api/v1/namespaces/{namespace}/pods/{name}/binding"},
           TemplateCase{.path = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler",
           .want = "/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/{name}"},
           TemplateCase{.path = "/apis/resource.k8s.io/v1/deviceclasses?watch=1",
           .want = "/apis/resource.k8s.io/v1/deviceclasses"},
           TemplateCase{.path = "/api", .want = "/api"},
           TemplateCase{.path = "/apis/apps/v1", .want = "/apis/apps/v1"},
           TemplateCase{.path = "/readyz?verbose", .want = "/readyz"},
           TemplateCase{.path = "/", .want = "/"},
       }) {
    EXPECT_EQ(UrlTemplate(c.path), c.want);
  }
}

}  // namespace
}  // namespace berth::http
