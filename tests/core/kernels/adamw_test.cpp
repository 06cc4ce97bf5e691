#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "contract/attention_case.h"
#include "kernels/adamw.h"
#include "reference/deviations.h"
#include "reference/golden.h"

namespace wf {
namespace {

TEST_CASE("five AdamW steps with clipping equal PyTorch's") {
  const nlohmann::json file = reference::golden("adamw.json");
  struct Group {
    const char* name;
    std::vector<float> values, first, second;
  };
  std::vector<Group> groups;
  for (const char* name : {"decayed", "plain"}) {
    const std::vector<float> initial = reference::floats(file["initial"][name]);
    groups.push_back(
        {name, initial, std::vector<float>(initial.size()), std::vector<float>(initial.size())});
  }
  int number = 0;
  for (const auto& step : file["steps"]) {
    ++number;
    double squares = 0;
    for (const Group& group : groups) {
      const std::vector<float> gradient = reference::floats(step["gradients"][group.name]);
      squares += sum_of_squares(gradient.data(), gradient.size());
    }
    const double norm = std::sqrt(squares);
    reference::check_golden("adamw.json", "normBeforeClipping",
                            std::abs(norm - step["normBeforeClipping"].get<double>()));
    for (Group& group : groups) {
      const std::vector<float> gradient = reference::floats(step["gradients"][group.name]);
      // clip_grad_norm_ divides by norm + 1e-6.
      adamw({.learning_rate = step["learningRate"].get<float>(),
             .beta1 = file["betas"][0].get<float>(),
             .beta2 = file["betas"][1].get<float>(),
             .epsilon = file["eps"].get<float>(),
             .weight_decay = file["weightDecay"][group.name].get<float>(),
             .gradient_scale =
                 static_cast<float>(std::min(1.0, file["clipNorm"].get<double>() / (norm + 1e-6))),
             .step = number},
            group.values.size(), group.values.data(), gradient.data(), group.first.data(),
            group.second.data());
      reference::check_golden("adamw.json", "parameters",
                              contract::largest_difference(
                                  group.values, reference::floats(step["parameters"][group.name])));
    }
  }
  CHECK(number == 5);
}

}  // namespace
}  // namespace wf
