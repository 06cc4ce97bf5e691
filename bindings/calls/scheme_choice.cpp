#include "calls/scheme_choice.h"

#include <algorithm>
#include <cmath>

namespace wf::calls {

List numbers_of(const SchemeDescription& description, const OptionValues& options, int index) {
  if (index < 0 || index >= static_cast<int>(description.options.size())) return {};
  const std::span<const double> numbers = is_list(description.options[index].kind)
                                              ? options.list(index)
                                              : std::span(&options.values[index], 1);
  return {reinterpret_cast<std::uintptr_t>(numbers.data()), static_cast<int>(numbers.size())};
}

Result<std::unique_ptr<ChosenScheme>> ChosenScheme::make(int index) {
  const auto entries = all_scheme_entries();
  WF_RETURN_IF_ERROR(check_range("scheme", index, 0, static_cast<double>(entries.size()) - 1));
  auto chosen = std::make_unique<ChosenScheme>();
  chosen->choice_.entry = entries[index];
  chosen->choice_.options = default_options(*entries[index]->description);
  return chosen;
}

Status ChosenScheme::set_option(const Workspace& workspace, int index, List numbers) {
  const SchemeDescription& description = *choice_.entry->description;
  const double last = static_cast<double>(description.options.size()) - 1;
  WF_RETURN_IF_ERROR(check_range("option", index, 0, last));
  Reader reader(workspace);
  const auto given = reader.list<const double>(description.options[index].key, numbers);
  WF_RETURN_IF_ERROR(reader.status());
  if (!std::all_of(given.begin(), given.end(), [](double one) { return std::isfinite(one); }))
    return WF_UNEXPECTED("%s", "NaN or infinity", "finite numbers", description.options[index].key);
  const bool is_word = description.options[index].kind == OptionKind::kChoice;
  if (is_word && given.size() == 1 && given[0] != std::floor(given[0]))
    return WF_UNEXPECTED("%s", "choice %g", "an index", description.options[index].key, given[0]);
  return wf::set_option(description, choice_.options, index, given);
}

}  // namespace wf::calls
