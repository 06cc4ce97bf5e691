#include "model/tensor_plan.h"

#include "model/transformer.h"

namespace wf {
namespace {

constexpr int kFields = 7;
constexpr std::size_t kMaxLines = 1 << 16;

// Removes and returns the text before the mark, and removes the mark.
std::string_view take_until(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  const std::string_view piece = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return piece;
}

bool read_natural(std::string_view text, int& value) {
  std::int64_t sum = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    sum = sum * 10 + (c - '0');
    if (sum > INT32_MAX) return false;
  }
  value = static_cast<int>(sum);
  return !text.empty();
}

bool read_source(std::string_view line, TensorSource& source) {
  std::string_view fields[kFields];
  for (std::string_view& field : fields) field = take_until(line, '\t');
  source.target = fields[0];
  source.source = fields[1];
  for (const char flag : fields[2]) {
    switch (flag) {
#define WF_PLAN_FLAG(name, letter, word, member) \
  case letter:                                   \
    source.member = true;                        \
    break;
      WF_PLAN_FLAGS(WF_PLAN_FLAG)
#undef WF_PLAN_FLAG
      default:
        return false;
    }
  }
  if (!line.empty() || source.source.empty()) return false;
  source.is_part = !fields[6].empty();
  if (source.target.empty()) return true;
  return read_natural(fields[3], source.first) && read_natural(fields[4], source.block) &&
         read_natural(fields[5], source.stride) &&
         (source.block == 0 || source.stride >= source.block) &&
         (!source.is_part || (!source.is_reordered() && read_natural(fields[6], source.into))) &&
         (!source.is_reordered() || (source.block > 0 && source.block % 2 == 0));
}

}  // namespace

Result<TensorPlan> TensorPlan::parse(std::string_view text) {
  TensorPlan plan;
  std::size_t lines = 0;
  for (const char c : text) lines += c == '\n';
  if (lines > kMaxLines) return WF_UNEXPECTED("plan", "%zu lines", "0 to %zu", lines, kMaxLines);
  WF_RETURN_IF_ERROR(plan.sources_.reserve(lines));
  std::size_t used = 0;
  for (std::size_t i = 0; i < lines; ++i) {
    const std::string_view line = take_until(text, '\n');
    if (line.find('\t') == std::string_view::npos) {
      plan.prefix_ = line;
    } else if (!read_source(line, plan.sources_[used++])) {
      return Status::error(Code::kInvalidArgument, "plan: line %zu is empty", i + 1);
    }
  }
  plan.count_ = used;
  return plan;
}

Result<TensorPlan> TensorPlan::of(const Transformer& model) {
  const ParameterTable& table = model.parameters();
  const ModelConfig& config = model.config();
  const bool is_tied = config.architecture.head == Head::kTied && !config.piece_count();
  TensorPlan plan;
  plan.count_ = static_cast<std::size_t>(table.count()) + is_tied;
  WF_RETURN_IF_ERROR(plan.sources_.reserve(plan.count_));
  for (int i = 0; i < table.count(); ++i)
    plan.sources_[i].target = plan.sources_[i].source = table.tensor(i).name;
  if (!is_tied) return plan;
  TensorSource& head = plan.sources_[table.count()];
  head.target = "lm_head.weight";
  head.source = table.tensor(0).name;
  head.is_copy = true;
  return plan;
}

bool TensorPlan::matches(std::string_view pattern, std::string_view name) const {
  if (pattern.starts_with('*')) return name.ends_with(pattern.substr(1));
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  return name == pattern;
}

bool TensorPlan::passes_over(std::string_view name) const {
  std::string_view bare = name;
  if (bare.starts_with(prefix_)) bare.remove_prefix(prefix_.size());
  for (const TensorSource& source : sources())
    if (source.target.empty() && (matches(source.source, name) || matches(source.source, bare)))
      return true;
  return false;
}

}  // namespace wf
