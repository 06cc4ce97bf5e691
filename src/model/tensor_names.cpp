#include "model/tensor_names.h"

#include <algorithm>

namespace wf {
namespace {

// Of DataParallel, torch.compile, PEFT, the text model of vision-language models, Sentence
// Transformers, and trainers with an attribute `model`.
constexpr std::string_view kWrappers[] = {
    "model.language_model.", "base_model.model.", "language_model.", "0.auto_model.",
    "auto_model.",           "_orig_mod.",        "module.",         "model.",
};

constexpr std::string_view kModuleWrappers[] = {"_orig_mod.", "_fsdp_wrapped_module.",
                                                "_checkpoint_wrapped_module."};

}  // namespace

std::span<const std::string_view> name_wrappers() { return kWrappers; }

std::string_view without_module_wrappers(std::span<char> name) {
  char* text = name.data();
  std::size_t size = name.size();
  for (const std::string_view wrapper : kModuleWrappers) {
    std::size_t at = 0;
    while ((at = std::string_view(text, size).find(wrapper, at)) != std::string_view::npos) {
      if (at > 0 && text[at - 1] != '.') {
        ++at;
        continue;
      }
      std::copy(text + at + wrapper.size(), text + size, text + at);
      size -= wrapper.size();
    }
  }
  return {text, size};
}

bool is_of_adapter(std::string_view name) {
  return name.find(".lora_A.") != std::string_view::npos ||
         name.find(".lora_B.") != std::string_view::npos;
}

}  // namespace wf
