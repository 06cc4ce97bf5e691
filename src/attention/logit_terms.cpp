#include "attention/logit_terms.h"

#include <algorithm>

#include "attention/distance_bias.h"
#include "attention/surgery.h"
#include "kernels/dot.h"

namespace wf {

float* fill_terms(const HeadLogits& head, int row, float* terms, MatmulScratch& scratch) {
  const int keys = head.k.rows, width = head.k.columns;
  float* logits = terms + std::size_t{kMostTerms} * keys;
  float* run = logits + keys;
  float* mask = run + keys;
  float* kept_channels = mask + keys;
  const Cut* cuts = head.schemes.surgery ? head.schemes.surgery->of(head.head) : nullptr;
  // A query's channels that are not cut, and those that stay as projected; zero elsewhere.
  const auto kept = [&](const float* q, bool whole, bool unturned) {
    if (!cuts) return q;
    for (int c = 0; c < width; ++c) {
      const Cut cut = cuts[kMostTerms + c];
      kept_channels[c] =
          (cut == Cut::kNone && whole) || (cut == Cut::kUnturned && unturned) ? q[c] : 0;
    }
    return static_cast<const float*>(kept_channels);
  };
  const auto product = [&](const float* q, ConstMatrix k, int channels, float* out,
                           Accumulate accumulate = Accumulate::kNo) {
    matmul(1, keys, channels, head.scale, {q, width}, Operand{k.data, k.stride}.transposed(), out,
           keys, accumulate, scratch);
  };
  const float* raw = head.raw_q.row(row);
  const float* turned = head.q.row(row);
  int position_channels = 0, count = 1;
  for (const LayerScheme& item : head.schemes)
    position_channels = std::max(position_channels, item.scheme->position_channels());
  std::fill_n(terms, std::size_t{kMostTerms} * keys, 0.0f);
  product(kept(raw, true, true), head.raw_k, width - position_channels, terms);
  const bool has_transform = head.schemes.any(kHookTransform);
  if (has_transform) {
    float* change = terms + std::size_t(count++) * keys;
    product(kept(turned, true, false), head.k, width, change);
    if (cuts) product(kept(raw, false, true), head.raw_k, width, change, Accumulate::kYes);
    for (int j = 0; j < keys; ++j) change[j] -= terms[j];
  }
  std::fill_n(mask, keys, 0.0f);
  head.mask.apply(head.head, row, 1, 0, keys, mask, keys);
  for (int i = 0; i < head.schemes.count; ++i) {
    const LayerScheme& item = head.schemes.items[i];
    const int names = static_cast<int>(item.description->bias_terms.size());
    float* tiles[kMostTerms];
    for (int t = 0; t < names; ++t) tiles[t] = terms + std::size_t(count + t) * keys;
    if (item.has(kHookBias)) {
      // The scheme sees the whole logit of q·k, as it does in a tile.
      product(turned, head.k, width, run);
      // One tile of a single row: the carry starts at zero and ends here.
      float carry[kMostCarryFloats] = {};
      item.scheme->bias_logits(head.contexts[i], {.head = head.head,
                                                  .kv_head = head.kv_head,
                                                  .row0 = row,
                                                  .rows = 1,
                                                  .column0 = 0,
                                                  .columns = keys,
                                                  .logits = run,
                                                  .stride = keys,
                                                  .q = {turned, 1, width, head.q.stride},
                                                  .k = head.k,
                                                  .terms = tiles,
                                                  .mask = mask,
                                                  .carry = carry});
    }
    if (item.has(kHookDistanceStrip))
      add_distance_row(item, head.contexts[i], head.head, row, 0, keys, run, tiles[names - 1]);
    count += names;
  }
  std::fill_n(logits, keys, 0.0f);
  for (int t = 0; t < count; ++t) {
    float* term = terms + std::size_t(t) * keys;
    // A surgery keeps a place for the transform, whether or not there is one.
    if (cuts && cuts[t && !has_transform ? t + 1 : t] == Cut::kOut) std::fill_n(term, keys, 0.0f);
    add_to(term, keys, logits);
  }
  return logits;
}

}  // namespace wf
