// No positional signal: order enters through the mask and depth alone.
// The template to copy for a new scheme.
#include "schemes/scheme.h"

namespace wf {
namespace {

constexpr SchemeDescription kDescription = {
    .id = "nope",
    .family = "none",
    .paper = "Haviv et al. 2022, arXiv 2203.16634; Kazemnejad et al. 2023, arXiv 2305.19466",
    .year = 2022,
    .options = {},
    .claims = {.shift_invariant = true,
               .extrapolates_by_construction = true,
               .bidirectional = true,
               .decodes = true},
    .bias_terms = {},
};

class Nope : public Scheme {};

Result<std::unique_ptr<Scheme>> make(const SchemeShape&, const OptionValues&) {
  return new_scheme<Nope>();
}

}  // namespace

extern const SchemeEntry nope_entry;
const SchemeEntry nope_entry = {&kDescription, hooks_of<Nope>(), make};

}  // namespace wf
