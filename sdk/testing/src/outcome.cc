#include "berth/testing/outcome.hpp"

namespace berth::sdk::testing {

const char* CodeName(berth_status code) {
  switch (code) {
    case BERTH_SUCCESS: return "SUCCESS";
    case BERTH_ERROR: return "ERROR";
    case BERTH_UNSCHEDULABLE: return "UNSCHEDULABLE";
    case BERTH_UNRESOLVABLE: return "UNRESOLVABLE";
    case BERTH_WAIT: return "WAIT";
    case BERTH_SKIP: return "SKIP";
    case BERTH_PENDING: return "PENDING";
    case BERTH_LATER: return "LATER";
    case BERTH_UNIFORM: return "UNIFORM";
    default: return "an unknown code";
  }
}

std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  out << CodeName(outcome.code);
  for (const std::string& reason : outcome.reasons) out << " \"" << reason << '"';
  return out;
}

Texts ArgsOutcome::Errors() const {
  Texts texts;
  for (const ArgsError& error : errors) {
    texts.push_back(error.path.empty() ? error.text : error.path + ": " + error.text);
  }
  return texts;
}

}  // namespace berth::sdk::testing
