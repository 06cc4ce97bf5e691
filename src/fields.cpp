#include "fields.h"

#include "format.h"

namespace wf {
namespace {

// "name: value (expected an integer from 1 to 256)", or "(expected a finite number above 0)".
Status refused(const Field& field, double value) {
  const bool is_number = field.kind == OptionKind::kNumber;
  const bool is_above = is_number && field.min == kAboveZero;
  char shown[24], from[24] = "above 0", to[24] = "";
  format_text(shown, sizeof(shown), is_number ? "%g" : "%.0f", value);
  if (!is_above) format_text(from, sizeof(from), is_number ? "from %g" : "from %.0f", field.min);
  if (field.max != (is_number ? kNoMaxNumber : kNoMaxInteger))
    format_text(to, sizeof(to),
                is_above    ? ", up to %g"
                : is_number ? " to %g"
                            : " to %.0f",
                field.max);
  return WF_UNEXPECTED("%s", "%s", "%s %s%s", field.name, shown,
                       is_number ? "a finite number" : "an integer", from, to);
}

}  // namespace

Status check_fields(std::span<const Field> fields, const double* values) {
  for (const Field& field : fields) {
    const double value = *values++;
    if (value != field.absent && !(value >= field.min && value <= field.max))
      return refused(field, value);
  }
  return {};
}

}  // namespace wf
