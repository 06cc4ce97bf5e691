#include "attention/attention_arguments.h"

namespace wf {
namespace {

constexpr Field kFields[] = {
#define WF_FIELD WF_FIELD_ENTRY
#include "schemes/shape_fields.def"
#define WF_FIELD WF_FIELD_ENTRY
#include "attention/attention_fields.def"
#define WF_FIELD WF_FIELD_ENTRY
#include "attention/window_fields.def"
};

}  // namespace

std::span<const Field> AttentionConfig::fields() { return kFields; }

Status AttentionConfig::check() const {
  const double values[] = {
#define WF_FIELD WF_FIELD_VALUE
#include "schemes/shape_fields.def"
#define WF_FIELD WF_FIELD_VALUE
#include "attention/attention_fields.def"
#define WF_FIELD WF_FIELD_VALUE
#include "attention/window_fields.def"
  };
  WF_RETURN_IF_ERROR(check_fields(kFields, values));
  return check_kv_heads(num_kv_heads, num_heads);
}

}  // namespace wf
