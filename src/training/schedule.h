// The learning rate over a run.
#pragma once

#include "status.h"

namespace wf {

// Linear warm-up from 0 to `peak`, then half a cosine down to `floor` at the last step
// (Loshchilov & Hutter 2017, arXiv 1608.03983, eq. 5, one period); `floor` from there on.
struct Schedule {
  float peak = 3e-3f;
  float floor = 3e-4f;
  int warmup_steps = 100;
  int total_steps = 1000;

  // Rate of the given step, counted from 1.
  float rate(int step) const;

  // Errors: kInvalidArgument, which names the value and what is allowed.
  Status validate() const;
};

}  // namespace wf
