// Room for the threads that share a product (executor.h).
#pragma once

#include "status.h"

namespace wf {

// Makes packing space for as many threads; without it `matmul` stays on its own. Errors:
// kOutOfMemory.
Status reserve_matmul_lanes(int lanes);

}  // namespace wf
