// The tables that are not in the file of FakeHost's constructor.
#pragma once

#include "berth/testing/fake_host.hpp"

namespace berth::sdk::testing {

void OfferObjects(FakeHost& host);  // BERTH_SERVICE_OBJECTS

}  // namespace berth::sdk::testing
