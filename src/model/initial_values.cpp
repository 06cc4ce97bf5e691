// Initial values of weights.
#include "model/parameters.h"

namespace wf {
namespace {

// FNV-1a (Fowler, Noll, Vo), 64 bits.
std::uint64_t hash_of(const char* text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (; *text; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3u;
  return hash;
}

}  // namespace

Random stream_of(const TensorInfo& info, std::uint64_t seed) {
  return Random(seed ^ hash_of(info.name));
}

void initialise_tensor(const TensorInfo& info, std::uint64_t seed, float* values) {
  Random random = stream_of(info, seed);
  draw_values(info, random, info.size(), values);
}

void draw_values(const TensorInfo& info, Random& random, std::size_t count, float* values) {
  for (std::size_t i = 0; i < count; ++i) {
    switch (info.initialiser) {
      case Initialiser::kZero:
        values[i] = 0;
        break;
      case Initialiser::kOne:
        values[i] = 1;
        break;
      case Initialiser::kConstant:
        values[i] = info.deviation;
        break;
      case Initialiser::kNormal:
        values[i] = info.mean + info.deviation * random.normal();
        break;
      case Initialiser::kUniform:
        values[i] = info.mean + info.deviation * (2 * random.uniform() - 1);
        break;
    }
  }
}

void ParameterTable::initialise(std::uint64_t seed, float* values) const {
  for (const TensorInfo& info : tensors_)
    if (info.type == WeightType::kF32) initialise_tensor(info, seed, values + info.offset);
}

}  // namespace wf
