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

enum Hook : std::uint32_t {
  kHookEmbeddings = 1u << 0,
  kHookTransform = 1u << 1,
  kHookDistanceStrip = 1u << 2,
  kHookBias = 1u << 3,
  kHookParameters = 1u << 4,
  kHookPrepare = 1u << 5,
  kHookOutput = 1u << 6,
  kHookScale = 1u << 7,
  kHookConstrain = 1u << 8,
};

// The type of a member pointer names the class that declares the member, so the types differ
// exactly if Derived overrides it.
#define WF_OVERRIDES(member) \
  (!std::is_same_v<decltype(&Derived::member), decltype(&Scheme::member)>)

template <class Derived>
constexpr std::uint32_t hooks_of() {
  return (WF_OVERRIDES(add_to_embeddings) ? kHookEmbeddings : 0u) |
         (WF_OVERRIDES(transform_projections) ? kHookTransform : 0u) |
         (WF_OVERRIDES(distance_strip) ? kHookDistanceStrip : 0u) |
         (WF_OVERRIDES(bias_logits) ? kHookBias : 0u) |
         (WF_OVERRIDES(parameters) ? kHookParameters : 0u) |
         (WF_OVERRIDES(prepare_layer) ? kHookPrepare : 0u) |
         (WF_OVERRIDES(adjust_output) ? kHookOutput : 0u) |
         (WF_OVERRIDES(logit_scale) ? kHookScale : 0u) |
         (WF_OVERRIDES(constrain) ? kHookConstrain : 0u);
}

#undef WF_OVERRIDES

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
