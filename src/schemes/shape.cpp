#include "schemes/shape.h"

namespace wf {

Status check_kv_heads(int num_kv_heads, int num_heads) {
  if (num_heads % num_kv_heads == 0) return {};
  return WF_UNEXPECTED("numKvHeads", "%d", "a divisor of numHeads, %d", num_kv_heads, num_heads);
}

Status SchemeShape::check() const {
  static constexpr Field kFields[] = {
#define WF_FIELD WF_FIELD_ENTRY
#include "schemes/shape_fields.def"
  };
  const double values[] = {
#define WF_FIELD WF_FIELD_VALUE
#include "schemes/shape_fields.def"
  };
  WF_RETURN_IF_ERROR(check_fields(kFields, values));
  return check_kv_heads(num_kv_heads, num_heads);
}

}  // namespace wf
