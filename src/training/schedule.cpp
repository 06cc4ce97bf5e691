#include "training/schedule.h"

#include <cmath>

namespace wf {

float Schedule::rate(int step) const {
  if (step <= warmup_steps)
    return peak * static_cast<float>(step) / static_cast<float>(warmup_steps);
  if (step >= total_steps) return floor;
  const double progress = static_cast<double>(step - warmup_steps) / (total_steps - warmup_steps);
  const double height = 0.5 * (1 + std::cos(3.141592653589793 * progress));
  return static_cast<float>(floor + (static_cast<double>(peak) - floor) * height);
}

Status Schedule::validate() const {
  if (!(peak > 0 && peak <= 10))
    return WF_UNEXPECTED("learningRate", "%g", "a number above 0, up to 10",
                         static_cast<double>(peak));
  if (!(floor >= 0 && floor <= peak))
    return WF_UNEXPECTED("learning rate floor", "%g", "0 to %g", static_cast<double>(floor),
                         static_cast<double>(peak));
  if (total_steps < 1) return WF_UNEXPECTED("totalSteps", "%d", "1 or more", total_steps);
  if (warmup_steps < 0 || warmup_steps > total_steps)
    return WF_UNEXPECTED("warmupSteps", "%d", "0 to %d", warmup_steps, total_steps);
  return {};
}

}  // namespace wf
