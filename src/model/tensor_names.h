// Names of tensors as training tools write them: with the name of a wrapper before the model's own,
// or within them.
#pragma once

#include <span>
#include <string_view>

namespace wf {

// What wraps a whole model, so that all its names begin so: the longest first.
std::span<const std::string_view> name_wrappers();

// Takes wrappers of single modules out of a name, in place: `_orig_mod.` of compiled ones, and
// those of sharded training. Gives the name that is left, which begins where the old one did.
std::string_view without_module_wrappers(std::span<char> name);

// Whether a name is that of an adapter's small matrices (LoRA).
bool is_of_adapter(std::string_view name);

}  // namespace wf
