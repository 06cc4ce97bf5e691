#include "schemes/rope_scaling.h"

#include <cmath>
#include <utility>

namespace wf {
namespace {

bool takes_factor(RopeType type) {
  return type != RopeType::kDefault && type != RopeType::kLongrope;
}

bool takes_original_length(RopeType type) {
  return type == RopeType::kNtkByParts || type == RopeType::kYarn || type == RopeType::kLongrope ||
         type == RopeType::kLlama3;
}

}  // namespace

Status complete(RopeScaling& scaling, int pairs) {
  const char* type = kRopeTypes[static_cast<int>(scaling.type)];
  const double given = scaling.original_max_position_embeddings;
  const double length = given > 0 ? given : scaling.max_position_embeddings;
  scaling.original_max_position_embeddings = length;
  const bool derived = scaling.type == RopeType::kYarn || scaling.type == RopeType::kLongrope;
  if (scaling.factor == 0 && derived) scaling.factor = scaling.max_position_embeddings / length;
  if (scaling.factor == 0 && scaling.type == RopeType::kProportional) scaling.factor = 1;
  if (takes_factor(scaling.type) && !(scaling.factor >= 1))
    return WF_UNEXPECTED("ropeScaling.factor", "%g", "1 or more with ropeType %s", scaling.factor,
                         type);
  if (takes_original_length(scaling.type) && !(length >= 2))
    return WF_UNEXPECTED("ropeScaling.originalMaxPositionEmbeddings", "%g",
                         "2 or more with ropeType %s", length, type);
  if ((scaling.type == RopeType::kNtk || scaling.type == RopeType::kDynamic) && pairs < 2)
    return WF_UNEXPECTED("ropeScaling.ropeType", "%s with 2 rotated channels",
                         "4 or more rotated channels", type);
  if (scaling.type == RopeType::kLlama3 && !(scaling.high_freq_factor > scaling.low_freq_factor))
    return WF_UNEXPECTED("ropeScaling.highFreqFactor", "%g", "more than lowFreqFactor, %g",
                         scaling.high_freq_factor, scaling.low_freq_factor);
  if ((scaling.type == RopeType::kNtkByParts && !(scaling.beta_fast > scaling.beta_slow)) ||
      (scaling.type == RopeType::kYarn && !(scaling.beta_fast >= scaling.beta_slow)))
    return WF_UNEXPECTED("ropeScaling.betaFast", "%g", "more than betaSlow, %g", scaling.beta_fast,
                         scaling.beta_slow);
  if (scaling.type != RopeType::kLongrope) return {};
  for (const auto& [name, list] :
       {std::pair{"short", scaling.short_factor}, {"long", scaling.long_factor}})
    if (list.size() != static_cast<std::size_t>(pairs))
      return WF_UNEXPECTED("ropeScaling.%sFactor", "%zu numbers", "one for each of %d pairs", name,
                           list.size(), pairs);
  return {};
}

double attention_factor_of(const RopeScaling& scaling) {
  const double s = scaling.factor;
  if (scaling.type != RopeType::kNtkByParts && scaling.type != RopeType::kYarn &&
      scaling.type != RopeType::kLongrope)
    return 1;
  if (scaling.attention_factor > 0) return scaling.attention_factor;
  if (scaling.type == RopeType::kYarn)
    return scaling.mscale != 0 && scaling.mscale_all_dim != 0
               ? yarn_scale(s, scaling.mscale) / yarn_scale(s, scaling.mscale_all_dim)
               : yarn_scale(s, 1);
  if (scaling.type == RopeType::kLongrope && s > 1)
    return std::sqrt(1 + std::log(s) / std::log(scaling.original_max_position_embeddings));
  return 1;
}

RopeScaling rope_scaling_of(const OptionValues& options, int first) {
  return {.max_position_embeddings = options[first],
          .type = static_cast<RopeType>(static_cast<int>(options[first + 1])),
          .factor = options[first + 2],
          .original_max_position_embeddings = options[first + 3],
          .attention_factor = options[first + 4],
          .beta_fast = options[first + 5],
          .beta_slow = options[first + 6],
          .truncate = options[first + 7] != 0,
          .mscale = options[first + 8],
          .mscale_all_dim = options[first + 9],
          .low_freq_factor = options[first + 10],
          .high_freq_factor = options[first + 11],
          .short_factor = options.list(first + 12),
          .long_factor = options.list(first + 13)};
}

double yarn_scale(double factor, double mscale) {
  return factor > 1 ? 0.1 * mscale * std::log(factor) + 1 : 1;
}

}  // namespace wf
