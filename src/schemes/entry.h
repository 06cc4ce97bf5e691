// The last part of each scheme's file: its entry for the registry.
#pragma once

#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "schemes/projections.h"
#include "schemes/scheme.h"
#include "status.h"

namespace wf {

// ---- Hooks of a class, computed at compile time.

// Value, word in the public API, member of Scheme.
#define WF_HOOKS(X)                                               \
  X(kHookEmbeddings, 1u << 0, "embeddings", add_to_embeddings)    \
  X(kHookTransform, 1u << 1, "transform", transform_projections)  \
  X(kHookDistanceStrip, 1u << 2, "distanceStrip", distance_strip) \
  X(kHookBias, 1u << 3, "bias", bias_logits)                      \
  X(kHookParameters, 1u << 4, "parameters", parameters)           \
  X(kHookPrepare, 1u << 5, "prepare", prepare_layer)              \
  X(kHookOutput, 1u << 6, "output", adjust_output)                \
  X(kHookScale, 1u << 7, "scale", logit_scale)                    \
  X(kHookConstrain, 1u << 8, "constrain", constrain)              \
  X(kHookFeatures, 1u << 9, "features", compute_features)

enum Hook : std::uint32_t {
#define WF_HOOK(name, bit, word, member) name = bit,
  WF_HOOKS(WF_HOOK)
#undef WF_HOOK
};

// The type of a member pointer names the class that declares the member, so the types differ
// exactly if Derived overrides it.
template <class Derived>
constexpr std::uint32_t hooks_of() {
  std::uint32_t hooks = 0;
#define WF_HOOK(name, bit, word, member) \
  if (!std::is_same_v<decltype(&Derived::member), decltype(&Scheme::member)>) hooks |= name;
  WF_HOOKS(WF_HOOK)
#undef WF_HOOK
  return hooks;
}

// Maximum schemes in one layer, different lists of schemes in one model, and parameters of one
// scheme.
constexpr int kMaxSchemes = 4;
constexpr int kMaxLayerTypes = 8;
constexpr int kMaxSchemeParameters = 16;

struct SchemeEntry {
  const SchemeDescription* description;
  std::uint32_t hooks;
  Result<std::unique_ptr<Scheme>> (*make)(const SchemeShape&, const OptionValues&);
  // Null if the scheme does not change how projections are made. Defined for all arguments that
  // `make` accepts.
  ProjectionPlan (*projections)(const SchemeShape&, const OptionValues&) = nullptr;
};

// `new` that returns null on failure, for the entries' make functions.
template <class Derived, class... Arguments>
Result<std::unique_ptr<Scheme>> new_scheme(Arguments&&... arguments) {
  std::unique_ptr<Scheme> scheme(new (std::nothrow) Derived(std::forward<Arguments>(arguments)...));
  if (!scheme) return Status::error(Code::kOutOfMemory, "out of memory: a scheme");
  return scheme;
}

}  // namespace wf
