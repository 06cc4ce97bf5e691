#include "model/architecture.h"

namespace wf {
namespace {

constexpr Field kFields[] = {
#define WF_FIELD(type, name, public_name, absent, min, max) \
  field_of<type>("architecture." #public_name, absent, min, max),
#include "model/architecture_fields.def"
};

}  // namespace

std::span<const Field> Architecture::fields() { return kFields; }

Status Architecture::check_ranges() const {
  const double values[] = {
#define WF_FIELD WF_FIELD_VALUE
#include "model/architecture_fields.def"
  };
  return check_fields(kFields, values);
}

}  // namespace wf
