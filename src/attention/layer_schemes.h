// The schemes of one layer.
#pragma once

#include <algorithm>

#include "schemes/entry.h"
#include "schemes/position_checks.h"

namespace wf {

class Surgery;

// Named terms of a logit: the content, a transform, and up to three biases for each scheme.
constexpr int kMaxTerms = 2 + 3 * kMaxSchemes;

// One scheme of the layer, with its hooks. Not owned.
struct LayerScheme {
  const Scheme* scheme = nullptr;
  const SchemeDescription* description = nullptr;
  std::uint32_t hooks = 0;
  const float* const* values = nullptr;  // its parameters in this layer
  float* const* gradients = nullptr;     // null outside training
  LayerProjections projections = {};  // the layer's own projections; null outside a model

  bool has(Hook hook) const { return hooks & hook; }
};

// Hooks run in this order; their backward passes in reverse.
struct LayerSchemes {
  LayerScheme items[kMaxSchemes];
  int count = 0;
  int layer = 0;
  // Index of this list's first position table in AttentionScratch, so that layers with different
  // lists do not overwrite each other's tables.
  int first_table = 0;
  const Surgery* surgery = nullptr;  // changes to the logits, or null

  const LayerScheme* begin() const { return items; }
  const LayerScheme* end() const { return items + count; }
  bool any(Hook hook) const {
    for (const LayerScheme& item : *this)
      if (item.has(hook)) return true;
    return false;
  }
  // Channels of queries and keys after the transforms.
  int transformed_channels(int head_dim) const {
    int channels = head_dim;
    for (const LayerScheme& item : *this)
      if (item.has(kHookTransform))
        channels = std::max(channels, item.scheme->transformed_channels(head_dim));
    return channels;
  }
  // Those over which q·k sums.
  int scored_channels(int head_dim) const {
    int channels = head_dim;
    for (const LayerScheme& item : *this)
      if (item.has(kHookTransform))
        channels = std::max(channels, item.scheme->scored_channels(head_dim));
    return channels;
  }
  bool transforms_values() const {
    for (const LayerScheme& item : *this)
      if (transforms(item, Projection::kValue)) return true;
    return false;
  }
  static bool transforms(const LayerScheme& item, Projection projection) {
    return item.has(kHookTransform) &&
           (projection < Projection::kValue || item.scheme->transformed_value_channels() > 0);
  }
  // The first scheme that transforms: by a factor of queries alone, or in another way. Null if
  // there is none.
  const LayerScheme* transform(bool scales_queries) const {
    for (const LayerScheme& item : *this)
      if (item.has(kHookTransform) && item.description->scales_queries() == scales_queries)
        return &item;
    return nullptr;
  }
  // The pairs of channels that rotate together (Scheme::channel_pairs), of the first scheme that
  // has any.
  int channel_pairs(std::int32_t* pairs) const {
    for (const LayerScheme& item : *this)
      if (const int count = item.scheme->channel_pairs(pairs)) return count;
    return 0;
  }
  // Errors: kUnsupported if a scheme shares the layer's projections outside a model.
  Status check_projections() const {
    for (const LayerScheme& item : *this)
      if (item.scheme->needs_projections() && !item.projections.query)
        return Status::error(Code::kUnsupported,
                             "scheme: %s with these options shares the projections of a layer, so "
                             "it works in a model only",
                             item.description->id);
    return {};
  }
  // Errors: kInvalidArgument if a scheme transforms more channels than a value has; kUnsupported if
  // one that widens queries and keys stands beside another transform.
  Status check_transforms(int head_dim, int value_channels) const {
    int transforms = 0, factors = 0;
    for (const LayerScheme& item : *this) {
      transforms += item.has(kHookTransform);
      factors += item.has(kHookTransform) && item.description->scales_queries();
    }
    for (const LayerScheme& item : *this) {
      // A factor multiplies several rotations of one query alike.
      const int others =
          item.scheme->scored_channels(head_dim) > head_dim ? transforms : transforms - factors;
      if (others > 1 && item.scheme->transformed_channels(head_dim) > head_dim)
        return Status::error(Code::kUnsupported,
                             "scheme: %s works beside no other that changes queries and keys",
                             item.description->id);
      const int needed = item.has(kHookTransform) ? item.scheme->transformed_value_channels() : 0;
      if (value_channels < needed)
        return WF_UNEXPECTED("valueDim", "%d", "%d or more, as many channels as %s rotates",
                             value_channels, needed, item.description->id);
    }
    return {};
  }
  // Errors: kInvalidArgument if a scheme with hooks does not read this number of axes.
  Status check_axes(const char* argument, const Positions& positions) const {
    for (const LayerScheme& item : *this)
      if (item.hooks) WF_RETURN_IF_ERROR(wf::check_axes(*item.description, argument, positions));
    return {};
  }
};

}  // namespace wf
