#include "api/intern_tables.h"

namespace berth::api {

InternTables::InternTables() {
  cpu = ids.Intern("cpu");
  memory = ids.Intern("memory");
  ephemeral_storage = ids.Intern("ephemeral-storage");
  pods = ids.Intern("pods");
  no_schedule = ids.Intern("NoSchedule");
  no_execute = ids.Intern("NoExecute");
  prefer_no_schedule = ids.Intern("PreferNoSchedule");
  op_in = ids.Intern("In");
  op_not_in = ids.Intern("NotIn");
  op_exists = ids.Intern("Exists");
  op_does_not_exist = ids.Intern("DoesNotExist");
  op_gt = ids.Intern("Gt");
  op_lt = ids.Intern("Lt");
  op_equal = ids.Intern("Equal");
  metadata_name = ids.Intern("metadata.name");
}

}  // namespace berth::api
