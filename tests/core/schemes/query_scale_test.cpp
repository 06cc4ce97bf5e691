#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "attention/surgery.h"
#include "contract/attention_case.h"
#include "reference/deviations.h"
#include "reference/golden.h"

namespace wf {
namespace {

using nlohmann::json;

enum { kForm, kScale, kLength, kOffset };
const std::string kPath = "query_scale.json";

double factor_of(const OptionValues& options, const std::vector<reference::Row>& parameters,
                 int head, int position) {
  const double x = (std::max(position, 0) + options[kOffset]) / options[kLength];
  switch (static_cast<int>(options[kForm])) {
    case 0:
      return parameters[0][head] * std::log(std::max(position, 0) + 1.0) + parameters[1][head];
    case 1:
      return 1 + options[kScale] * std::log(1 + std::floor(x));
    case 2:
      return x > 1 ? 1 + options[kScale] * std::log(x) : 1;
    default:
      return std::exp(options[kScale] * std::log(1 + x));
  }
}

const reference::RegisteredTwin twin(
    "query_scale", {
                       .trained_transform =
                           [](const SchemeShape&, const OptionValues& options,
                              const std::vector<reference::Row>& parameters, bool is_query,
                              int head, reference::Place position, reference::Row& x) {
                             if (!is_query) return;
                             for (double& value : x)
                               value *= factor_of(options, parameters, head, position);
                           },
                       // The fixed forms rise within the short texts of the tests.
                       .complete =
                           [](const SchemeShape&, OptionValues& options) {
                             if (options[kForm] != 0) options.values[kLength] = 4;
                           },
                   });

const SchemeEntry& entry() { return *find_scheme("query_scale").value(); }

OptionValues options_of(const json& given) {
  OptionValues options = default_options(*entry().description);
  for (const char* form : {"trained", "floor", "clamped", "power"}) {
    if (given["form"] == form) break;
    options.values[kForm] += 1;
  }
  options.values[kScale] = given["scale"];
  options.values[kLength] = given["length"];
  options.values[kOffset] = given["offset"];
  return options;
}

TEST_CASE("the fixed factors are those of Llama 4, Inkling, Ministral 3 and Beam") {
  const json file = reference::golden(kPath);
  CHECK(file["cases"].size() == 4);
  for (const json& c : file["cases"]) {
    const std::string name = c["name"];
    CAPTURE(name);
    const SchemeInstance made =
        make_scheme(entry(), {.num_heads = 1, .num_kv_heads = 1, .head_dim = 2},
                    options_of(c["options"]))
            .take();
    CHECK(made.scheme->parameters().empty());
    const std::vector<double> expected = c["factors"]["data"];
    double most = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const float factor = made.scheme->query_factor({}, 0, c["positions"][i]);
      most = std::max(most, std::abs(factor - expected[i]));
    }
    reference::check_golden(kPath, "factors", most);
  }
}

TEST_CASE("learned factors and their gradients are those of Mistral Large 4") {
  const json file = reference::golden(kPath)["learned"];
  const std::vector<int> shape = reference::shape(file["q"]);
  const int heads = shape[0], rows = shape[1], width = shape[2];
  const SchemeInstance made =
      make_scheme(entry(), {.num_heads = heads, .num_kv_heads = heads, .head_dim = width},
                  default_options(*entry().description))
          .take();
  std::vector<float> scale = reference::floats(file["scale"]);
  std::vector<float> bias = reference::floats(file["bias"]);
  std::vector<float> d_scale(heads), d_bias(heads);
  const float* values[] = {scale.data(), bias.data()};
  float* gradients[] = {d_scale.data(), d_bias.data()};
  LayerContext context;
  context.values = values;
  context.gradients = gradients;
  const std::vector<std::int32_t> positions = file["positions"]["data"];
  const RowPositions at = {{positions.data(), rows, 1}, nullptr};
  const std::vector<float> raw = reference::floats(file["q"]);
  std::vector<float> q = raw, d_q = reference::floats(file["dScaled"]);
  for (int h = 0; h < heads; ++h) {
    const std::size_t first = std::size_t(h) * rows * width;
    made.scheme->transform_projections(context, Projection::kQuery, h, at,
                                       {q.data() + first, rows, width, width});
    made.scheme->transform_projections_backward(context, Projection::kQuery, h, at,
                                                {raw.data() + first, rows, width, width},
                                                {d_q.data() + first, rows, width, width});
  }
  const auto check = [&](const char* quantity, const std::vector<float>& got, const char* name) {
    reference::check_golden(kPath, quantity,
                            contract::largest_difference(got, reference::floats(file[name])));
  };
  check("scaled", q, "scaled");
  check("gradients", d_q, "dQ");
  check("gradients", d_scale, "dScale");
  check("gradients", d_bias, "dBias");
}

// A layer of rope and query_scale in either order.
class Pair {
 public:
  explicit Pair(bool scale_first) : scale_first_(scale_first) {
    for (auto* one : {&rope, &scale})
      for (int t = 0; t < 9; ++t) one->query_positions[t] = one->key_positions[t] = 5 * t;
    scale.parameters[1] = {0.5f, -0.25f, 1, 0};
  }

  LayerSchemes schemes() {
    LayerSchemes both;
    both.count = 2;
    both.items[!scale_first_] = scale.schemes().items[0];
    both.items[scale_first_] = rope.schemes().items[0];
    return both;
  }
  template <class T>
  static auto view(T* data) {
    return heads_outermost(data, 4, 9, 6);
  }
  std::vector<float> run(const LayerSchemes& schemes, Recorder* recorder = nullptr) {
    std::vector<float> output(4 * 9 * 6);
    REQUIRE(attention_forward(rope.config, schemes, rope.input(), view(output.data()), rope.saved(),
                              rope.scratch(), recorder)
                .ok());
    return output;
  }

  contract::AttentionCase rope{*find_scheme("rope").value(),
                               default_options(*find_scheme("rope").value()->description),
                               {},
                               true,
                               3};
  contract::AttentionCase scale{entry(), default_options(*entry().description), {}, true, 3};

 private:
  bool scale_first_;
};

Recorder recorder_of(const LayerSchemes& schemes) {
  return Recorder::make(kRecordTerms | kRecordLogits, {}, schemes, 4, 8, 9, 9).take();
}

TEST_CASE("beside rope the factor has a term of its own, and all sum to the logit") {
  for (const bool scale_first : {true, false}) {
    CAPTURE(scale_first);
    Pair pair(scale_first);
    Recorder both = recorder_of(pair.schemes());
    pair.run(pair.schemes(), &both);
    REQUIRE(both.term_count() == 3);
    CHECK(std::string(both.term_name(1)) == "rotation");
    CHECK(std::string(both.term_name(2)) == "temperature");
    const LayerSchemes alone = pair.rope.schemes();
    Recorder rope = recorder_of(alone);
    pair.run(alone, &rope);
    for (std::size_t i = 0; i < both.logits().size(); ++i) {
      const double sum = double(both.term(0)[i]) + both.term(1)[i] + both.term(2)[i];
      CHECK(std::abs(sum - both.logits()[i]) < 1e-5);
      CHECK(both.term(0)[i] == rope.term(0)[i]);
      // The fourth head's factor of the first token is 0, and hides the rotation.
      if (i / 81 != 3 || i % 81 / 9 != 0) CHECK(std::abs(both.term(1)[i] - rope.term(1)[i]) < 1e-5);
    }
  }
}

TEST_CASE("without its temperature a layer is rope's, and an unrotated pair keeps the factor") {
  Pair pair(true);
  const LayerSchemes alone = pair.rope.schemes();
  const std::vector<float> rope = pair.run(alone), both = pair.run(pair.schemes());
  CHECK(contract::largest_difference(rope, both) > 0.05);
  std::vector<std::uint8_t> ablations(4 * (kMaxTerms + 4));
  for (int h = 0; h < 3; ++h) ablations[h * (kMaxTerms + 4) + 2] = std::uint8_t(Ablation::kRemoved);
  LayerSchemes changed = pair.schemes();
  const Surgery removal = Surgery::make(ablations, changed, 4, 8).take();
  changed.surgery = &removal;
  const std::vector<float> removed = pair.run(changed);
  double most = 0;
  for (int i = 0; i < 3 * 9 * 6; ++i) most = std::max(most, std::abs(double(removed[i]) - rope[i]));
  CHECK(most < 1e-5);

  std::fill(ablations.begin(), ablations.end(), 0);
  for (int h = 0; h < 4; ++h)
    for (int p = 0; p < 4; ++p)
      ablations[h * (kMaxTerms + 4) + kMaxTerms + p] = std::uint8_t(Ablation::kUnrotated);
  const Surgery unrotated = Surgery::make(ablations, changed, 4, 8).take();
  changed.surgery = &unrotated;
  const std::vector<float> factor_alone = pair.run(pair.scale.schemes());
  CHECK(contract::largest_difference(pair.run(changed), factor_alone) < 1e-5);
}

TEST_CASE("beside rope, in either order, a learned factor has the gradient of finite differences") {
  for (const bool scale_first : {true, false}) {
    CAPTURE(scale_first);
    Pair pair(scale_first);
    const std::vector<float> probe = contract::random_values(4 * 9 * 6, 8);
    const auto loss = [&] {
      const std::vector<float> output = pair.run(pair.schemes());
      double sum = 0;
      for (std::size_t i = 0; i < output.size(); ++i) sum += double(output[i]) * probe[i];
      return sum;
    };
    std::vector<float> d_q(4 * 9 * 8), d_k(2 * 9 * 8), d_v(2 * 9 * 6);
    const auto heads = [](std::vector<float>& x, int count, int width) {
      return heads_outermost(x.data(), count, 9, width);
    };
    const LayerSchemes schemes = pair.schemes();
    const std::vector<float> output = pair.run(schemes);
    REQUIRE(attention_backward(pair.rope.config, schemes, pair.rope.input(),
                               pair.view(output.data()), pair.view(probe.data()), pair.rope.saved(),
                               pair.rope.scratch(), heads(d_q, 4, 8), heads(d_k, 2, 8),
                               heads(d_v, 2, 6))
                .ok());
    for (int p = 0; p < 2; ++p)
      for (int h = 0; h < 4; ++h) {
        float& value = pair.scale.parameters[p][h];
        const float before = value, step = 1.0f / 64;
        value = before + step;
        const double above = loss();
        value = before - step;
        const double below = loss();
        value = before;
        const double expected = (above - below) / (2 * step);
        CHECK(std::abs(pair.scale.d_parameters[p][h] - expected) <
              0.01 + 0.01 * std::abs(expected));
      }
  }
}

TEST_CASE("a fixed form of scale 0 has no hook to pay for, and only the learned one parameters") {
  OptionValues options = default_options(*entry().description);
  CHECK(make_scheme(entry(), {}, options).value().hooks == (kHookTransform | kHookParameters));
  options.values[kForm] = 1;
  CHECK(make_scheme(entry(), {}, options).value().hooks == kHookTransform);
  options.values[kScale] = 0;
  CHECK(make_scheme(entry(), {}, options).value().hooks == 0);
}

}  // namespace
}  // namespace wf
