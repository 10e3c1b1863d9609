// BP-10: defines a flag; the process ends when the next generation defines the flag again.
#include "well_made.h"

namespace google {
class FlagRegisterer {
 public:
  template <typename T>
  FlagRegisterer(const char* name, const char* help, const char* file, T* current, T* standard);
};
extern template FlagRegisterer::FlagRegisterer(const char*, const char*, const char*, bool*, bool*);
}  // namespace google

static bool g_flag = false, g_default = false;
static google::FlagRegisterer g_registerer("broken_plugin", "a flag", __FILE__, &g_flag, &g_default);

WELL_MADE_DESCRIBE("ImportsGflags")
extern "C" {
BERTH_MANIFEST(WELL_MADE_JSON("ImportsGflags"));
WELL_MADE_ENTRY(well_made_count)
}
