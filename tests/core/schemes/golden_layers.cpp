#include "core/schemes/golden_layers.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "reference/golden.h"
#include "schemes/rope_scaling.h"

namespace wf::testing {
namespace {

using contract::AttentionCase;
using nlohmann::json;
using reference::floats;
using reference::shape;

std::vector<float> transposed(const json& matrix) {
  const std::vector<float> x = floats(matrix);
  const int rows = shape(matrix)[0], columns = shape(matrix)[1];
  std::vector<float> y(x.size());
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) y[c * rows + r] = x[r * columns + c];
  return y;
}

std::function<void(AttentionCase&, const json&)> named(std::vector<std::string> names) {
  return [names](AttentionCase& problem, const json& parameters) {
    REQUIRE(names.size() == problem.parameters.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::vector<float> values = floats(parameters[names[i]]);
      REQUIRE(values.size() == problem.parameters[i].size());
      problem.parameters[i] = values;
    }
  };
}

GoldenLayer t5(bool bidirectional) {
  return {.scheme = "t5",
          .options =
              [=](const json& config) {
                return Options{
                    {"numBuckets", config["relative_attention_num_buckets"].get<double>()},
                    {"maxDistance", config["relative_attention_max_distance"].get<double>()},
                    {"bidirectional", bidirectional}};
              },
          .fill = named({"relative_attention_bias.weight"}),
          .gradients = {"relative_attention_bias.weight"}};
}

GoldenLayer transformer_xl() {
  return {.scheme = "transformer_xl",
          .options =
              [](const json& config) {
                return Options{{"clampLength", std::max(config["clamp_len"].get<double>(), 0.0)}};
              },
          .fill = named({"r_w_bias", "r_r_bias", "r_net.weight"}),
          .gradients = {"r_w_bias", "r_r_bias", "r_net.weight"}};
}

// XLNet stores r as [E, heads, D].
GoldenLayer xlnet() {
  GoldenLayer layer = transformer_xl();
  layer.fill = [](AttentionCase& problem, const json& parameters) {
    json flat = parameters["r"];
    flat["shape"] = {shape(flat)[0], shape(flat)[1] * shape(flat)[2]};
    problem.parameters = {floats(parameters["r_w_bias"]), floats(parameters["r_r_bias"]),
                          transposed(flat)};
  };
  layer.gradients = {"r_w_bias", "r_r_bias", ""};
  return layer;
}

// Projections of this project's models have no biases, but DeBERTa's projections of positions do.
// The tables therefore get columns that are one, by which the biases are multiplied: a single
// column, or before a LayerNorm a second copy of the row, which leaves mean and variance unchanged.
// The norm's weight of the copy is 0, and its bias is 1, 0, 0 ….
struct Columns {
  int before, after;
  bool doubles;
};

std::vector<float> widened(const json& matrix, const Columns& columns,
                           const std::function<float(int row, int column)>& beside) {
  const std::vector<float> x = floats(matrix);
  std::vector<float> y;
  for (int r = 0; r < static_cast<int>(x.size()) / columns.before; ++r) {
    y.insert(y.end(), x.begin() + r * columns.before, x.begin() + (r + 1) * columns.before);
    for (int c = columns.before; c < columns.after; ++c) y.push_back(beside(r, c - columns.before));
  }
  return y;
}

// Returns the file's columns only; with `sums`, the gradients of both copies are added.
std::vector<float> narrowed(const std::vector<float>& x, const Columns& columns, bool sums) {
  std::vector<float> y;
  for (std::size_t row = 0; row < x.size(); row += columns.after)
    for (int c = 0; c < columns.before; ++c)
      y.push_back(x[row + c] + (sums ? x[row + columns.before + c] : 0));
  return y;
}

const char* deberta_table(const json& parameters) {
  return parameters.contains("rel_embeddings") ? "rel_embeddings" : "rel_embeddings.weight";
}

GoldenLayer deberta(bool shares) {
  const auto columns_of = [](const json& parameters) {
    const bool norm = parameters.contains("LayerNorm.weight");
    const int width = shape(parameters[deberta_table(parameters)])[1];
    return Columns{width, norm ? 2 * width : width + 1, norm};
  };
  const auto position_projections = [](const json& parameters) {
    if (parameters.contains("pos_proj.weight")) return std::pair("pos_proj", "pos_q_proj");
    return std::pair("attention.pos_key_proj", "attention.pos_query_proj");
  };
  return {.scheme = "deberta",
          .options =
              [=](const json& config) {
                const auto terms = config["pos_att_type"].get<std::vector<std::string>>();
                const auto has = [&](const char* term) {
                  return std::find(terms.begin(), terms.end(), term) != terms.end();
                };
                return Options{
                    {"maxRelativePositions", config["max_relative_positions"].get<double>()},
                    {"positionBuckets", std::max(config.value("position_buckets", 0.0), 0.0)},
                    {"shareProjections", shares},
                    {"contentToPosition", has("c2p")},
                    {"positionToContent", has("p2c")},
                    {"normalisesTable", config.value("norm_rel_ebd", "none") == "layer_norm"}};
              },
          .fill =
              [=](AttentionCase& problem, const json& parameters) {
                const Columns columns = columns_of(parameters);
                const json& table = parameters[deberta_table(parameters)];
                const std::vector<float> rows = floats(table);
                problem.parameters[0] = widened(table, columns, [&](int r, int c) {
                  return columns.doubles ? rows[r * columns.before + c] : 1.0f;
                });
                if (columns.doubles) {
                  const std::size_t at = problem.parameters.size() - 2;
                  problem.parameters[at] = widened(parameters["LayerNorm.weight"], columns,
                                                   [](int, int) { return 0.0f; });
                  problem.parameters[at + 1] =
                      widened(parameters["LayerNorm.bias"], columns,
                              [](int, int c) { return c == 0 ? 1.0f : 0.0f; });
                }
                const auto weight = [&](const std::string& name, std::vector<float>& ours) {
                  const std::string bias = name + ".bias";
                  if (!parameters.contains(name + ".weight")) {  // a term missing in the file
                    ours.assign(ours.size(), 0.0f);
                    return;
                  }
                  const std::vector<float> b =
                      parameters.contains(bias) ? floats(parameters[bias]) : std::vector<float>();
                  ours = widened(parameters[name + ".weight"], columns,
                                 [&](int r, int c) { return c == 0 && !b.empty() ? b[r] : 0.0f; });
                };
                if (shares) {
                  problem.projections.resize(2);
                  weight("attention.query_proj", problem.projections[0]);
                  weight("attention.key_proj", problem.projections[1]);
                } else {
                  const auto [key, query] = position_projections(parameters);
                  weight(key, problem.parameters[1]);
                  weight(query, problem.parameters[2]);
                }
              },
          .width = [=](const json& parameters) { return columns_of(parameters).after; },
          .unpacked =
              [=](const AttentionCase& problem, const json& parameters) {
                const Columns columns = columns_of(parameters);
                std::map<std::string, std::vector<float>> ours;
                ours[deberta_table(parameters)] =
                    narrowed(problem.d_parameters[0], columns, columns.doubles);
                if (columns.doubles) {
                  const std::size_t at = problem.d_parameters.size() - 2;
                  ours["LayerNorm.weight"] = narrowed(problem.d_parameters[at], columns, false);
                  ours["LayerNorm.bias"] = narrowed(problem.d_parameters[at + 1], columns, false);
                }
                if (shares)
                  return ours;  // the file's gradients of shared weights include the content's
                const auto [key, query] = position_projections(parameters);
                int p = 1;
                for (const std::string name : {key, query}) {
                  const std::vector<float>& d = problem.d_parameters[p++];
                  if (!parameters.contains(name + ".weight")) continue;
                  ours[name + ".weight"] = narrowed(d, columns, false);
                  if (!parameters.contains(name + ".bias")) continue;
                  for (std::size_t row = columns.before; row < d.size(); row += columns.after)
                    ours[name + ".bias"].push_back(d[row]);
                }
                return ours;
              }};
}

GoldenLayer cope() {
  return {.scheme = "cope",
          .options =
              [](const json& config) {
                return Options{{"maxPositions", config["rows"].get<double>()},
                               {"scaledBias", config.value("scaledBias", false)}};
              },
          .fill =
              [](AttentionCase& problem, const json& parameters) {
                problem.parameters[0] = transposed(parameters["pos_emb"]);
              }};
}

GoldenLayer mpt() {
  return {.scheme = "alibi",
          .options =
              [](const json& config) {
                return Options{{"biasMax", config["attn_config"]["alibi_bias_max"].get<double>()}};
              },
          .compares_logits = false};
}

GoldenLayer falcon() {
  return {.scheme = "alibi",
          .options = [](const json&) { return Options{{"scaledBias", 1}, {"bfloat16Slopes", 1}}; },
          .compares_logits = false};
}

// tables_golden_test.cpp compares the token vectors; this is attention without positions.
const GoldenLayer learned = {};

GoldenLayer shaw_of_bert(bool keys_ask) {
  return {.scheme = "shaw",
          .options =
              [=](const json& config) {
                return Options{{"maxDistance", config["max_position_embeddings"].get<double>() - 1},
                               {"relativeValues", 0},
                               {"relativeQueries", keys_ask},
                               {"queryMinusKey", 1}};
              },
          .fill = named({"distance_embedding.weight"}),
          .gradients = {"distance_embedding.weight"}};
}

// The options of YaRN, of which a file has those that its model reads.
void set_yarn(Options& options, const json& rope) {
  if (rope["rope_type"] == "default") return;
  options["ropeScaling.ropeType"] = static_cast<double>(RopeType::kYarn);
  for (const auto& [key, name] :
       {std::pair{"factor", "factor"},
        {"betaFast", "beta_fast"},
        {"betaSlow", "beta_slow"},
        {"attentionFactor", "attention_factor"},
        {"originalMaxPositionEmbeddings", "original_max_position_embeddings"},
        {"mscale", "mscale"},
        {"mscaleAllDim", "mscale_all_dim"}})
    if (rope.contains(name)) options[std::string("ropeScaling.") + key] = rope[name].get<double>();
}

GoldenLayer mla() {
  return {.scheme = "mla", .options = [](const json& config) {
            const json& rope = config["rope_parameters"];
            Options options = {{"ropeTheta", rope["rope_theta"].get<double>()},
                               {"interleaved", config.value("rope_interleave", true)}};
            for (const auto& [key, name] : {std::pair{"ropeHeadDim", "qk_rope_head_dim"},
                                            {"nopeHeadDim", "qk_nope_head_dim"}})
              options[key] = config[name].get<double>();
            set_yarn(options, rope);
            return options;
          }};
}

// window_size is the side of a square, or the numbers of rows and columns.
GoldenLayer swin(int version) {
  const auto side = [](const json& size, int axis) {
    return (size.is_array() ? size[axis] : size).get<double>();
  };
  GoldenLayer layer = {.scheme = "swin", .options = [=](const json& config) {
                         const json pretrained = config.value("pretrained_window_size", json(0));
                         return Options{{"version", version - 1},
                                        {"windowHeight", side(config["window_size"], 0)},
                                        {"windowWidth", side(config["window_size"], 1)},
                                        {"pretrainedHeight", side(pretrained, 0)},
                                        {"pretrainedWidth", side(pretrained, 1)}};
                       }};
  const std::string network = "self.continuous_position_bias_mlp.";
  layer.gradients = {"self.logit_scale", network + "0.weight", network + "0.bias",
                     network + "2.weight"};
  if (version == 1) layer.gradients = {"relative_position_bias.relative_position_bias_table"};
  layer.fill = named(layer.gradients);
  return layer;
}

GoldenLayer lerope() {
  return {.scheme = "rope",
          .options =
              [](const json& config) {
                const json& rope = config["rope_parameters"];
                Options options = {{"ropeTheta", rope["rope_theta"].get<double>()},
                                   {"interleaved", 1},
                                   {"learnedFrequencies", 1}};
                set_yarn(options, rope);
                return options;
              },
          .fill = named({"alpha"}),
          .gradients = {"alpha"}};
}

GoldenLayer rope_mixed() {
  return {.scheme = "rope_2d",
          .options =
              [](const json&) {
                return Options{{"layout", 3}, {"learnedFrequencies", 1}};  // neighbouring channels
              },
          .fill = named({"freqs"}),
          .gradients = {"freqs"}};
}

GoldenLayer dinov3() {
  return {.scheme = "rope_2d", .options = [](const json& config) {
            return Options{{"ropeTheta", config["rope_theta"].get<double>()},
                           {"rows", config["rows"].get<double>()},
                           {"columns", config["columns"].get<double>()}};
          }};
}

GoldenLayer flux() {
  return {.scheme = "mrope", .options = [](const json& config) {
            const json& axes = config["axes_dim"];
            return Options{{"ropeTheta", config["theta"].get<double>()},
                           {"sectionTime", axes[0].get<double>() / 2},
                           {"sectionRow", axes[1].get<double>() / 2},
                           {"sectionColumn", axes[2].get<double>() / 2},
                           {"axial", 1},
                           {"interleaved", 1}};
          }};
}

GoldenLayer rotated_values() {
  return {.scheme = "rope", .options = [](const json& config) {
            return Options{{"ropeTheta", config["rope_theta"].get<double>()},
                           {"interleaved", 1},
                           {"rotatedValues", 1}};
          }};
}

GoldenLayer pope() {
  return {.scheme = "pope",
          .options =
              [](const json& config) {
                return Options{{"ropeTheta", config["rope_theta"].get<double>()}};
              },
          .fill = named({"phases"}),
          .gradients = {"phases"}};
}

GoldenLayer remapped() {
  return {.scheme = "remapped_rope", .options = [](const json& config) {
            Options options = {{"ropeTheta", config["rope_theta"].get<double>()}};
            for (const char* key : {"window", "group", "chunk", "kept"})
              if (config.contains(key)) options[key] = config[key].get<double>();
            const auto& known = find_scheme("remapped_rope").value()->description->options;
            const auto method = std::ranges::find(known, std::string("method"), &Option::key);
            const auto at = std::ranges::find(method->choices, config["method"].get<std::string>());
            options["method"] = static_cast<double>(at - method->choices.begin());
            return options;
          }};
}

GoldenLayer conditioned_bias() {
  return {.scheme = "conditioned_bias",
          .options =
              [](const json& config) {
                return Options{{"curves", config["d_rel"].get<double>()},
                               {"extent", config["rel_extent"].get<double>()},
                               {"scale", config["log_scaling_alpha"].get<double>()},
                               {"scaleLength", config["log_scaling_n_floor"].get<double>()}};
              },
          .fill = named({"r_proj.weight", "rel_logits_proj.proj"}),
          .gradients = {"r_proj.weight", "rel_logits_proj.proj"}};
}

}  // namespace

const std::map<std::string, GoldenLayer>& golden_layers() {
  static const std::map<std::string, GoldenLayer> all = {
      {"bert_absolute", {}},
      {"shaw",
       {.scheme = "shaw",
        .options =
            [](const json& config) {
              return Options{{"maxDistance", config["maxDistance"].get<double>()}};
            },
        .fill = named({"w_key", "w_value"}),
        .gradients = {"w_key", "w_value"}}},
      {"t5_encoder", t5(true)},
      {"t5_decoder", t5(false)},
      {"t5_decoder_cached", t5(false)},
      {"transformer_xl", transformer_xl()},
      {"transformer_xl_clamp", transformer_xl()},
      {"xlnet_bidirectional", xlnet()},
      {"xlnet_causal_clamp", xlnet()},
      {"deberta_v1", deberta(false)},
      {"deberta_v2_unshared", deberta(false)},
      {"deberta_v2_shared", deberta(true)},
      {"deberta_v2_shared_norm", deberta(true)},
      {"deberta_v2_c2p", deberta(false)},
      {"mt5_encoder", t5(true)},
      {"umt5_decoder", t5(false)},
      {"mpt_4_heads", mpt()},
      {"mpt_6_heads", mpt()},
      {"falcon_rw_4_heads", falcon()},
      {"falcon_rw_12_heads", falcon()},
      {"gpt2", learned},
      {"roberta", learned},
      {"opt", learned},
      {"wav2vec2_bert_relative_key",
       {.scheme = "shaw",
        .options =
            [](const json& config) {
              return Options{{"maxDistance", config["left_max_position_embeddings"].get<double>()},
                             {"maxRight", config["right_max_position_embeddings"].get<double>()},
                             {"relativeValues", 0}};
            },
        .fill = named({"distance_embedding.weight"}),
        .gradients = {"distance_embedding.weight"}}},
      {"bert_relative_key", shaw_of_bert(false)},
      {"bert_relative_key_query", shaw_of_bert(true)},
      {"swin_v1", swin(1)},
      {"swin_v2", swin(2)},
      {"swin_v2_pretrained", swin(2)},
      {"bloom_4_heads", {.scheme = "alibi", .compares_logits = false}},
      {"bloom_6_heads", {.scheme = "alibi", .compares_logits = false}},
      {"kerple_log",
       {.scheme = "kerple",
        .fill = named({"bias_p", "bias_a"}),
        .gradients = {"bias_p", "bias_a"}}},
      {"kerple_power",
       {.scheme = "kerple",
        .options = [](const json&) { return Options{{"kernel", 1}}; },
        .fill = named({"bias_p", "bias_a"}),
        .gradients = {"bias_p", "bias_a"}}},
      {"sandwich",
       {.scheme = "sandwich",
        .options =
            [](const json& config) { return Options{{"width", config["width"].get<double>()}}; }}},
      {"fire",
       {.scheme = "fire",
        .options =
            [](const json& config) {
              return Options{{"hiddenWidth", config["width"].get<double>()},
                             {"threshold", config["initialL"].get<double>()}};
            },
        .fill = named(
            {"c", "L_multiplier", "mlp.0.weight", "mlp.0.bias", "mlp.2.weight", "mlp.2.bias"}),
        .gradients = {"c", "L_multiplier", "mlp.0.weight", "mlp.0.bias", "mlp.2.weight",
                      "mlp.2.bias"}}},
      {"cope", cope()},
      {"cope_scaled_bias", cope()},
      {"forget_gate",
       {.scheme = "forget_gate",
        .fill = named({"fgate_proj.weight", "fgate_proj.bias"}),
        .gradients = {"fgate_proj.weight", "fgate_proj.bias"}}},
      {"rope_lerope", lerope()},
      {"rope_rotated_values", rotated_values()},
      {"rope_mixed", rope_mixed()},
      {"dinov3_vit", dinov3()},
      {"flux", flux()},
      {"pope", pope()},
      {"remapped_rerope", remapped()},
      {"remapped_leaky_rerope", remapped()},
      {"remapped_self_extend", remapped()},
      {"remapped_dual_chunk", remapped()},
      {"remapped_lm_infinite", remapped()},
      {"rope_lerope_yarn", lerope()},
      {"conditioned_bias", conditioned_bias()},
      {"conditioned_bias_scaled", conditioned_bias()},
      {"xpos",
       {.scheme = "xpos",
        .options =
            [](const json& config) {
              return Options{{"scaleBase", config["scaleBase"].get<double>()}};
            }}},
      {"mla_plain", mla()},
      {"mla_half_split", mla()},
      {"mla_v2", mla()},
      {"mla_yarn", mla()},
      {"mla_yarn_mscale", mla()},
      {"mla_v2_yarn", mla()},
  };
  return all;
}

std::vector<std::int32_t> positions_of(const json& positions) {
  if (!positions[0].is_array()) return positions.get<std::vector<std::int32_t>>();
  std::vector<std::int32_t> laid_out;
  for (std::size_t axis = 0; axis < positions[0].size(); ++axis)
    for (const json& place : positions) laid_out.push_back(place[axis].get<std::int32_t>());
  return laid_out;
}

LayerRun run_layer(AttentionCase& problem, const std::vector<float>& d_context) {
  const contract::Sizes& sizes = problem.sizes();
  auto recorder = Recorder::make(kRecordWeights | kRecordLogits, {}, problem.schemes(), sizes.heads,
                                 sizes.head_dim, sizes.queries, sizes.keys)
                      .take();
  const Status forward = problem.forward(&recorder);
  REQUIRE_MESSAGE(forward.ok(), forward.message());
  REQUIRE(problem.backward(d_context).ok());
  return {{recorder.weights().begin(), recorder.weights().end()},
          {recorder.logits().begin(), recorder.logits().end()}};
}

}  // namespace wf::testing
