// The schemes at work in one layer.
#pragma once

#include "schemes/entry.h"
#include "schemes/position_checks.h"

namespace wf {

class Surgery;

// Named terms of a logit: the content, a transform, and at most three biases a scheme.
constexpr int kMaxTerms = 2 + 3 * kMaxSchemes;

// One stacked scheme, with the hooks it has. Not owned.
struct LayerScheme {
  const Scheme* scheme = nullptr;
  const SchemeDescription* description = nullptr;
  std::uint32_t hooks = 0;
  const float* const* values = nullptr;  // its parameters in this layer
  float* const* gradients = nullptr;     // null outside training
  LayerProjections projections = {};  // the layer's own; null where attention stands alone

  bool has(Hook hook) const { return hooks & hook; }
};

// In stacking order: hooks run in this order, their backward in reverse.
struct LayerSchemes {
  LayerScheme items[kMaxSchemes];
  int count = 0;
  int layer = 0;
  // Where AttentionScratch keeps the position tables of this list, so that lists that take turns
  // from layer to layer do not drive each other's out.
  int first_table = 0;
  const Surgery* surgery = nullptr;  // what is cut out of the logits, or null

  const LayerScheme* begin() const { return items; }
  const LayerScheme* end() const { return items + count; }
  bool any(Hook hook) const {
    for (const LayerScheme& item : *this)
      if (item.has(hook)) return true;
    return false;
  }
  // The pairs of channels that turn together, as Scheme::channel_pairs: of the first scheme with
  // any.
  int channel_pairs(std::int32_t* pairs) const {
    for (const LayerScheme& item : *this)
      if (const int count = item.scheme->channel_pairs(pairs)) return count;
    return 0;
  }
  // Errors: kUnsupported where a scheme shares the projections of a layer and there is none.
  Status check_projections() const {
    for (const LayerScheme& item : *this)
      if (item.scheme->needs_projections() && !item.projections.query)
        return Status::error(Code::kUnsupported,
                             "scheme: %s with these options shares the projections of a layer, so "
                             "it works in a model only",
                             item.description->id);
    return {};
  }
  // Errors: kInvalidArgument where a scheme that acts does not read so many axes.
  Status check_axes(const char* argument, const Positions& positions) const {
    for (const LayerScheme& item : *this)
      if (item.hooks) WF_RETURN_IF_ERROR(wf::check_axes(*item.description, argument, positions));
    return {};
  }
};

}  // namespace wf
