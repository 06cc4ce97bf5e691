// Names of tensors that training tools write with the name of a wrapper module before or within
// the model's name.
#pragma once

#include <span>
#include <string_view>

namespace wf {

// Prefixes of models that are wrapped as a whole, the longest first.
std::span<const std::string_view> name_wrappers();

// Removes wrappers of single modules from a name, in place: `_orig_mod.` of compiled modules, and
// those of sharded training. Returns the rest, which begins at the same byte.
std::string_view without_module_wrappers(std::span<char> name);

// Whether a name belongs to the low-rank matrices of an adapter (LoRA).
bool is_of_adapter(std::string_view name);

}  // namespace wf
