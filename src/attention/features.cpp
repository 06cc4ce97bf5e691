#include "attention/features.h"

#include <algorithm>

#include "tensor/extent.h"

namespace wf::detail {
namespace {

std::size_t floats_of(const AttentionCall& call, const LayerScheme& item) {
  return elements_of(states_of(call.input, item).rows, item.scheme->feature_count());
}

// Columns [first, first + count) of all rows.
template <class View>
View columns_of(View all, int first, int count) {
  return {all.data + first, all.rows, count, all.stride};
}

}  // namespace

int key_features(const LayerSchemes& schemes) {
  int total = 0;
  for (const LayerScheme& item : schemes)
    if (item.has(kHookFeatures) && is_of_keys(item)) total += item.scheme->feature_count();
  return total;
}

void compute_key_features(const LayerSchemes& schemes, ConstMatrix states, Matrix features,
                          MatmulScratch& scratch) {
  int first = 0;
  for (const LayerScheme& item : schemes) {
    if (!item.has(kHookFeatures) || !is_of_keys(item)) continue;
    const int count = item.scheme->feature_count();
    item.scheme->compute_features({.layer = schemes.layer, .values = item.values}, states,
                                  columns_of(features, first, count), scratch);
    first += count;
  }
}

Status compute_features(AttentionCall& call, AttentionSaved& saved, MatmulScratch& scratch) {
  std::size_t floats = 0;
  for (const LayerScheme& item : call.schemes)
    if (item.has(kHookFeatures)) floats = added(floats, floats_of(call, item));
  WF_RETURN_IF_ERROR(saved.features.reserve(floats));
  float* next = saved.features.data();
  int cached = 0;
  for (int i = 0; i < call.schemes.count; ++i) {
    const LayerScheme& item = call.schemes.items[i];
    if (!item.has(kHookFeatures)) continue;
    const int count = item.scheme->feature_count();
    if (is_of_keys(item) && call.input.key_features.columns) {
      call.contexts[i].features = columns_of(call.input.key_features, cached, count);
      cached += count;
      continue;
    }
    const ConstMatrix& states = states_of(call.input, item);
    const Matrix features = {next, states.rows, count, count};
    item.scheme->compute_features(call.contexts[i], states, features, scratch);
    call.contexts[i].features = features;
    next += floats_of(call, item);
  }
  return {};
}

Status restore_features(AttentionCall& call, const AttentionSaved& saved,
                        AttentionScratch& scratch) {
  WF_RETURN_IF_ERROR(scratch.d_features.reserve(saved.features.size()));
  scratch.d_features.fill_zero();
  std::size_t at = 0;
  for (int i = 0; i < call.schemes.count; ++i) {
    const LayerScheme& item = call.schemes.items[i];
    if (!item.has(kHookFeatures)) continue;
    const int rows = states_of(call.input, item).rows, count = item.scheme->feature_count();
    call.contexts[i].features = {saved.features.data() + at, rows, count, count};
    call.contexts[i].d_features = {scratch.d_features.data() + at, rows, count, count};
    at += floats_of(call, item);
  }
  return {};
}

void features_backward(const AttentionCall& call, MatmulScratch& scratch, Matrix d_states,
                       Matrix d_key_states) {
  for (int i = call.schemes.count - 1; i >= 0; --i) {
    const LayerScheme& item = call.schemes.items[i];
    if (item.has(kHookFeatures))
      item.scheme->compute_features_backward(call.contexts[i], states_of(call.input, item),
                                             is_of_keys(item) ? d_key_states : d_states, scratch);
  }
}

}  // namespace wf::detail
