#include "model/config.h"

namespace wf {
namespace {

struct Bound {
  const char* name;
  int value;
  int most;
};

Status check(const Bound& bound) {
  if (bound.value >= 1 && bound.value <= bound.most) return {};
  return Status::error(Code::kInvalidArgument, "%s is %d; allowed: 1 to %d", bound.name,
                       bound.value, bound.most);
}

}  // namespace

Status ModelConfig::validate() const {
  const Bound bounds[] = {
      {"vocab_size", vocab_size, 1 << 20},  {"hidden_size", width, 1 << 14},
      {"num_hidden_layers", num_layers, 256}, {"num_attention_heads", num_heads, 256},
      {"num_key_value_heads", num_kv_heads, 256}, {"head_dim", head_dim, 1024},
      {"intermediate_size", intermediate, 1 << 16},
  };
  for (const Bound& bound : bounds) WF_RETURN_IF_ERROR(check(bound));
  if (num_heads % num_kv_heads != 0) {
    return Status::error(Code::kInvalidArgument,
                         "num_key_value_heads is %d; allowed: a divisor of "
                         "num_attention_heads, which is %d",
                         num_kv_heads, num_heads);
  }
  if (!(norm_epsilon > 0 && norm_epsilon <= 1)) {
    return Status::error(Code::kInvalidArgument, "rms_norm_eps is %g; allowed: above 0, up to 1",
                         static_cast<double>(norm_epsilon));
  }
  if (!(initializer_range > 0 && initializer_range <= 1)) {
    return Status::error(Code::kInvalidArgument,
                         "initializer_range is %g; allowed: above 0, up to 1",
                         static_cast<double>(initializer_range));
  }
  if (scheme_count < 0 || scheme_count > kMostStackedSchemes) {
    return Status::error(Code::kInvalidArgument, "schemes has %d entries; allowed: 0 to %d",
                         scheme_count, kMostStackedSchemes);
  }
  for (int i = 0; i < scheme_count; ++i) {
    if (!schemes[i].entry)
      return Status::error(Code::kInvalidArgument, "schemes[%d] names no scheme", i);
    if (!is_causal && !schemes[i].entry->description->claims.bidirectional) {
      return Status::error(Code::kUnsupported,
                           "is_causal is false; scheme %s is for causal models only",
                           schemes[i].entry->description->id);
    }
  }
  return {};
}

AttentionConfig ModelConfig::attention() const {
  AttentionConfig attention;
  attention.num_heads = num_heads;
  attention.num_kv_heads = num_kv_heads;
  attention.head_dim = head_dim;
  attention.is_causal = is_causal;
  return attention;
}

}  // namespace wf
