#include "formula/fault.h"

#include "formula/limits.h"

namespace wf::formula {
namespace {

// Code points before byte `end`, counted from 1.
int character_at(std::string_view text, int end) {
  int count = 1;
  for (int at = 0; at < end; ++at) count += (text[at] & 0xc0) != 0x80;
  return count;
}

}  // namespace

Status error_of(const Fault& fault, const char* slot, std::string_view text) {
  if (fault.kind == FaultKind::kTooLong)
    return WF_UNEXPECTED("%s", "%zu bytes", "at most %d", slot, text.size(), kMaxLength);
  const bool is_at_end = fault.begin >= static_cast<int>(text.size());
  const bool has_suggestion = fault.suggestion[0];
  // A zero byte would end the message.
  if (!is_at_end && text[fault.begin] == '\0')
    return WF_UNEXPECTED("%s, character %d", "a zero", "%s", slot, character_at(text, fault.begin),
                         fault.expected);
  return WF_UNEXPECTED(
      "%s, character %d", "%s%.*s%s", "%s%s%s%s", slot, character_at(text, fault.begin),
      is_at_end ? "end of formula" : "\"", is_at_end ? 0 : fault.end - fault.begin,
      text.data() + fault.begin, is_at_end ? "" : "\"", fault.expected,
      has_suggestion ? "; did you mean " : "", fault.suggestion, has_suggestion ? "?" : "");
}

}  // namespace wf::formula
