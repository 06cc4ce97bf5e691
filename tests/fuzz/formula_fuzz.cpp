// Texts of formulas: a scheme is made from them, or they are refused with a message; a scheme then
// computes and trains a small attention.
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "attention/attention.h"
#include "schemes/formula.h"
#include "schemes/registry.h"

namespace {

using namespace wf;

constexpr int kHeads = 2, kWidth = 4, kTokens = 5;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::abort();
}

// The lines of the input are the options' texts, in order.
OptionValues options_of(const SchemeEntry& entry, std::string_view text) {
  OptionValues options = default_options(*entry.description);
  for (std::size_t i = 0; i < entry.description->options.size() && !text.empty(); ++i) {
    const Option& option = entry.description->options[i];
    if (option.kind != OptionKind::kText) continue;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::vector<double> bytes;
    for (const char c : text.substr(0, end))
      // Terms have lines of their own.
      bytes.push_back(c == '|' && i == 1 ? '\n' : static_cast<unsigned char>(c));
    static_cast<void>(set_option(*entry.description, options, static_cast<int>(i), bytes));
    text = text.substr(std::min(end + 1, text.size()));
  }
  return options;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const SchemeEntry& entry = formula_entry;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const SchemeShape shape = {.num_heads = kHeads, .num_kv_heads = 1, .head_dim = kWidth};
  auto made = make_scheme(entry, shape, options_of(entry, text));
  if (!made.ok()) {
    require(made.status().message()[0], "a refused text has a message");
    return 0;
  }
  SchemeInstance instance = made.take();
  if (instance.description().position_axes > 1) return 0;
  std::vector<std::vector<float>> values, gradients;
  std::vector<const float*> value_pointers;
  std::vector<float*> gradient_pointers;
  for (const ParameterSpec& spec : instance.scheme->parameters()) {
    require(spec.given, "a parameter has initial values");
    if (spec.size() > 4096) return 0;
    values.emplace_back(spec.given, spec.given + spec.size());
    gradients.emplace_back(spec.size());
  }
  for (auto& list : values) value_pointers.push_back(list.data());
  for (auto& list : gradients) gradient_pointers.push_back(list.data());
  LayerSchemes schemes;
  schemes.items[0] = {.scheme = instance.scheme.get(),
                      .description = &instance.description(),
                      .hooks = instance.hooks,
                      .values = value_pointers.data(),
                      .gradients = gradient_pointers.data()};
  schemes.count = 1;
  std::vector<float> q(kHeads * kTokens * kWidth, 0.5f), k(kTokens * kWidth, -0.25f), v = k;
  std::vector<float> output(q.size()), d_q(q.size()), d_k(k.size()), d_v(v.size());
  const std::int32_t positions[kTokens] = {0, 1, 2, 3, 4};
  AttentionInput input;
  input.q = heads_outermost(std::as_const(q).data(), kHeads, kTokens, kWidth);
  input.k = heads_outermost(std::as_const(k).data(), 1, kTokens, kWidth);
  input.v = heads_outermost(std::as_const(v).data(), 1, kTokens, kWidth);
  input.query_positions = input.key_positions = {positions, kTokens};
  const AttentionConfig config = {.num_heads = kHeads,
                                  .num_kv_heads = 1,
                                  .head_dim = kWidth,
                                  .value_dim = kWidth,
                                  .is_causal = true};
  static AttentionScratch scratch = AttentionScratch::make().take();
  AttentionSaved saved;
  const Heads result = heads_outermost(output.data(), kHeads, kTokens, kWidth);
  const Status status = attention_forward(config, schemes, input, result, saved, scratch);
  if (!status.ok()) {
    require(status.code() == Code::kInvalidArgument, "a computation is refused by name");
    return 0;
  }
  const ConstHeads out = heads_outermost(std::as_const(output).data(), kHeads, kTokens, kWidth);
  require(attention_backward(config, schemes, input, out, out, saved, scratch,
                             heads_outermost(d_q.data(), kHeads, kTokens, kWidth),
                             heads_outermost(d_k.data(), 1, kTokens, kWidth),
                             heads_outermost(d_v.data(), 1, kTokens, kWidth), nullptr)
              .ok(),
          "what is computed has gradients");
  return 0;
}
