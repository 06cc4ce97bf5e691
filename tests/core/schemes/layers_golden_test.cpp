// Whole attention layers of public models against the core: logits, weights, weighted values and
// gradients, in float64 from the real classes (tests/golden/layers/README.md).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "contract/attention_case.h"
#include "reference/deviations.h"
#include "reference/golden.h"
#include "schemes/rope_scaling.h"

namespace wf {
namespace {

using contract::AttentionCase;
using nlohmann::json;
using reference::floats;
using reference::shape;

using Options = std::map<std::string, double>;

// How one file's layer is said in our terms.
struct Layer {
  const char* scheme = "nope";
  std::function<Options(const json& config)> options = [](const json&) { return Options(); };
  // Fills parameters (and shared projections) from the file's.
  std::function<void(AttentionCase&, const json& parameters)> fill = [](AttentionCase&, const json&) {};
  // Names of the file's parameters whose gradients are ours, in our order; "" skips one.
  std::vector<std::string> gradients = {};
  // Logits that differ by a constant in each row are not compared.
  bool compares_logits = true;
  // Of our table, where it carries more than the file's.
  std::function<int(const json& parameters)> width = {};
  // Gradients that need unpacking before they are the file's: name and values.
  std::function<std::map<std::string, std::vector<float>>(const AttentionCase&, const json& parameters)> unpacked = {};
};

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

Layer t5(bool bidirectional) {
  return {.scheme = "t5",
          .options = [=](const json& config) {
            return Options{{"numBuckets", config["relative_attention_num_buckets"].get<double>()},
                           {"maxDistance", config["relative_attention_max_distance"].get<double>()},
                           {"bidirectional", bidirectional}};
          },
          .fill = named({"relative_attention_bias.weight"}),
          .gradients = {"relative_attention_bias.weight"}};
}

Layer transformer_xl() {
  return {.scheme = "transformer_xl",
          .options = [](const json& config) {
            return Options{{"clampLength", std::max(config["clamp_len"].get<double>(), 0.0)}};
          },
          .fill = named({"r_w_bias", "r_r_bias", "r_net.weight"}),
          .gradients = {"r_w_bias", "r_r_bias", "r_net.weight"}};
}

// XLNet keeps r as [E, heads, D].
Layer xlnet() {
  Layer layer = transformer_xl();
  layer.fill = [](AttentionCase& problem, const json& parameters) {
    json flat = parameters["r"];
    flat["shape"] = {shape(flat)[0], shape(flat)[1] * shape(flat)[2]};
    problem.parameters = {floats(parameters["r_w_bias"]), floats(parameters["r_r_bias"]), transposed(flat)};
  };
  layer.gradients = {"r_w_bias", "r_r_bias", ""};
  return layer;
}

// Our model's projections have no biases; DeBERTa's of positions do. So tables get columns that are
// one behind the projections' biases: one column, or where a LayerNorm comes first a second copy of
// the row (mean and variance stay), which the norm's weight turns to 0 and its bias to 1, 0, 0 ….
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

// Back to the file's columns; a doubled table's copies both count.
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

Layer deberta(bool shares) {
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
          .options = [=](const json& config) {
            const auto terms = config["pos_att_type"].get<std::vector<std::string>>();
            const auto has = [&](const char* term) {
              return std::find(terms.begin(), terms.end(), term) != terms.end();
            };
            return Options{{"maxRelativePositions", config["max_relative_positions"].get<double>()},
                           {"positionBuckets", std::max(config.value("position_buckets", 0.0), 0.0)},
                           {"shareProjections", shares},
                           {"contentToPosition", has("c2p")},
                           {"positionToContent", has("p2c")},
                           {"normalisesTable", config.value("norm_rel_ebd", "none") == "layer_norm"}};
          },
          .fill = [=](AttentionCase& problem, const json& parameters) {
            const Columns columns = columns_of(parameters);
            const json& table = parameters[deberta_table(parameters)];
            const std::vector<float> rows = floats(table);
            problem.parameters[0] = widened(table, columns, [&](int r, int c) {
              return columns.doubles ? rows[r * columns.before + c] : 1.0f;
            });
            if (columns.doubles) {
              const std::size_t at = problem.parameters.size() - 2;
              problem.parameters[at] = widened(parameters["LayerNorm.weight"], columns, [](int, int) { return 0.0f; });
              problem.parameters[at + 1] =
                  widened(parameters["LayerNorm.bias"], columns, [](int, int c) { return c == 0 ? 1.0f : 0.0f; });
            }
            const auto weight = [&](const std::string& name, std::vector<float>& ours) {
              const std::string bias = name + ".bias";
              if (!parameters.contains(name + ".weight")) {  // a term that is not there
                ours.assign(ours.size(), 0.0f);
                return;
              }
              const std::vector<float> b = parameters.contains(bias) ? floats(parameters[bias]) : std::vector<float>();
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
          .unpacked = [=](const AttentionCase& problem, const json& parameters) {
            const Columns columns = columns_of(parameters);
            std::map<std::string, std::vector<float>> ours;
            ours[deberta_table(parameters)] = narrowed(problem.d_parameters[0], columns, columns.doubles);
            if (columns.doubles) {
              const std::size_t at = problem.d_parameters.size() - 2;
              ours["LayerNorm.weight"] = narrowed(problem.d_parameters[at], columns, false);
              ours["LayerNorm.bias"] = narrowed(problem.d_parameters[at + 1], columns, false);
            }
            if (shares) return ours;  // the file's gradients of shared weights are of content, too
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

Layer mpt() {
  return {.scheme = "alibi",
          .options = [](const json& config) {
            return Options{{"biasMax", config["attn_config"]["alibi_bias_max"].get<double>()}};
          },
          .compares_logits = false};
}

Layer falcon() {
  return {.scheme = "alibi",
          .options = [](const json&) { return Options{{"scaledBias", 1}, {"bfloat16Slopes", 1}}; },
          .compares_logits = false};
}

// Token vectors are compared in tables_golden_test.cpp; here it is attention without positions.
const Layer learned = {};

Layer shaw_of_bert(bool keys_ask) {
  return {.scheme = "shaw",
          .options = [=](const json& config) {
            return Options{{"maxDistance", config["max_position_embeddings"].get<double>() - 1},
                           {"relativeValues", 0},
                           {"relativeQueries", keys_ask},
                           {"queryMinusKey", 1}};
          },
          .fill = named({"distance_embedding.weight"}),
          .gradients = {"distance_embedding.weight"}};
}

Layer mla() {
  return {.scheme = "mla", .options = [](const json& config) {
            const json& rope = config["rope_parameters"];
            Options options = {{"ropeTheta", rope["rope_theta"].get<double>()}, {"interleaved", config.value("rope_interleave", true)}};
            for (const auto& [key, name] : {std::pair{"ropeHeadDim", "qk_rope_head_dim"}, {"nopeHeadDim", "qk_nope_head_dim"}})
              options[key] = config[name].get<double>();
            if (rope["rope_type"] == "default") return options;
            options["ropeScaling.ropeType"] = static_cast<double>(RopeType::kYarn);
            for (const auto& [key, name] : {std::pair{"factor", "factor"}, {"betaFast", "beta_fast"}, {"betaSlow", "beta_slow"},
                                            {"originalMaxPositionEmbeddings", "original_max_position_embeddings"},
                                            {"mscale", "mscale"}, {"mscaleAllDim", "mscale_all_dim"}})
              options[std::string("ropeScaling.") + key] = rope[name].get<double>();
            return options;
          }};
}

// window_size is one side of a square, or rows and columns.
Layer swin(int version) {
  const auto side = [](const json& size, int axis) { return (size.is_array() ? size[axis] : size).get<double>(); };
  Layer layer = {.scheme = "swin", .options = [=](const json& config) {
    const json pretrained = config.value("pretrained_window_size", json(0));
    return Options{{"version", version - 1},
                   {"windowHeight", side(config["window_size"], 0)},
                   {"windowWidth", side(config["window_size"], 1)},
                   {"pretrainedHeight", side(pretrained, 0)},
                   {"pretrainedWidth", side(pretrained, 1)}};
  }};
  const std::string network = "self.continuous_position_bias_mlp.";
  layer.gradients = {"self.logit_scale", network + "0.weight", network + "0.bias", network + "2.weight"};
  if (version == 1) layer.gradients = {"relative_position_bias.relative_position_bias_table"};
  layer.fill = named(layer.gradients);
  return layer;
}

const std::map<std::string, Layer>& layers() {
  static const std::map<std::string, Layer> all = {
      {"bert_absolute", {}},
      {"shaw",
       {.scheme = "shaw",
        .options = [](const json& config) { return Options{{"maxDistance", config["maxDistance"].get<double>()}}; },
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
        .options = [](const json& config) {
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
      {"kerple_log", {.scheme = "kerple", .fill = named({"bias_p", "bias_a"}), .gradients = {"bias_p", "bias_a"}}},
      {"kerple_power",
       {.scheme = "kerple",
        .options = [](const json&) { return Options{{"kernel", 1}}; },
        .fill = named({"bias_p", "bias_a"}),
        .gradients = {"bias_p", "bias_a"}}},
      {"sandwich",
       {.scheme = "sandwich",
        .options = [](const json& config) { return Options{{"width", config["width"].get<double>()}}; }}},
      {"fire",
       {.scheme = "fire",
        .options = [](const json& config) {
          return Options{{"hiddenWidth", config["width"].get<double>()}, {"threshold", config["initialL"].get<double>()}};
        },
        .fill = named({"c", "L_multiplier", "mlp.0.weight", "mlp.0.bias", "mlp.2.weight", "mlp.2.bias"}),
        .gradients = {"c", "L_multiplier", "mlp.0.weight", "mlp.0.bias", "mlp.2.weight", "mlp.2.bias"}}},
      {"cope",
       {.scheme = "cope",
        .options = [](const json& config) { return Options{{"maxPositions", config["rows"].get<double>()}}; },
        .fill = [](AttentionCase& problem, const json& parameters) {
          problem.parameters[0] = transposed(parameters["pos_emb"]);
        }}},
      {"xpos",
       {.scheme = "xpos",
        .options = [](const json& config) { return Options{{"scaleBase", config["scaleBase"].get<double>()}}; }}},
      {"mla_plain", mla()},
      {"mla_half_split", mla()},
      {"mla_v2", mla()},
      {"mla_yarn", mla()},
      {"mla_yarn_mscale", mla()},
      {"mla_v2_yarn", mla()},
  };
  return all;
}

// Where arrays have a leading axis of windows, each window as a case of its own.
std::vector<json> windows_of(const json& c) {
  const std::vector<int> sizes = shape(c["q"]);
  if (sizes.size() == 3) return {c};
  std::vector<json> windows;
  for (int w = 0; w < sizes[0]; ++w) {
    const auto cut = [&](json& tensor) {
      const std::vector<int> whole = shape(tensor);
      const std::size_t part = tensor["data"].size() / whole[0];
      json data = json::array();
      for (std::size_t i = w * part; i < (w + 1) * part; ++i) data.push_back(tensor["data"][i]);
      tensor = {{"shape", std::vector<int>(whole.begin() + 1, whole.end())}, {"data", data}};
    };
    json window = c;
    for (const char* key : {"q", "k", "v", "logits", "weights", "context", "d_context", "mask"})
      if (window.contains(key)) cut(window[key]);
    for (const char* key : {"q", "k", "v"}) cut(window["gradients"][key]);
    windows.push_back(window);
  }
  return windows;
}

AttentionCase case_of(const Layer& layer, const json& file, const json& c) {
  const auto q = shape(c["q"]), k = shape(c["k"]), v = shape(c["v"]);
  const SchemeEntry& entry = *find_scheme(layer.scheme).value();
  OptionValues options = default_options(*entry.description);
  for (const auto& [key, value] : layer.options(file["config"])) {
    std::size_t i = 0;
    while (i < entry.description->options.size() && key != entry.description->options[i].key) ++i;
    REQUIRE(i < entry.description->options.size());
    options.values[i] = value;
  }
  int width = file["config"].value("d_model", file["config"].value("hidden_size", 0));
  if (layer.width) width = layer.width(file["parameters"]);
  AttentionCase problem(entry, options,
                        {.heads = q[0], .kv_heads = k[0], .head_dim = q[2], .value_dim = v[2], .queries = q[1],
                         .keys = k[1], .width = width},
                        false, 0);
  problem.q = floats(c["q"]);
  problem.k = floats(c["k"]);
  problem.v = floats(c["v"]);
  const int offset = c.value("queryOffset", c.value("memoryLength", 0));
  for (int t = 0; t < q[1] && problem.axes() == 1; ++t) problem.query_positions[t] = t + offset;
  for (int t = 0; t < q[1] && problem.axes() == 2; ++t) {
    const json size = file["config"]["window_size"];
    const int columns = size.is_array() ? size[1].get<int>() : size.get<int>();
    problem.query_positions[t] = problem.key_positions[t] = t / columns;
    problem.query_positions[q[1] + t] = problem.key_positions[q[1] + t] = t % columns;
  }
  if (c.contains("positions")) problem.query_positions = problem.key_positions = c["positions"].get<std::vector<std::int32_t>>();
  layer.fill(problem, file["parameters"]);
  return problem;
}

using Compare = std::function<void(const char* quantity, const std::vector<float>& ours,
                                   const std::vector<float>& theirs)>;

// The gradients of parameters, which are of all windows of a case, are added to `d_parameters`.
void check_window(const Layer& layer, const json& file, const json& c,
                  const Compare& compare, std::vector<std::vector<float>>& d_parameters) {
  AttentionCase problem = case_of(layer, file, c);
  const contract::Sizes& sizes = problem.sizes();
  std::vector<std::uint8_t> allowed;
  std::vector<float> added;
  if (c.contains("mask")) {
    added = floats(c["mask"]);
    problem.mask.given = {.additive = added.data(), .row_stride = sizes.keys, .column_stride = 1};
  }
  if (c.contains("allowed")) {
    for (const json& x : c["allowed"]["data"]) allowed.push_back(x.get<int>() != 0);
    problem.mask.given = {.allowed = allowed.data(), .row_stride = sizes.keys, .column_stride = 1};
  }
  auto recorder = Recorder::make(kRecordWeights | kRecordLogits, {}, problem.schemes(), sizes.heads,
                                 sizes.head_dim, sizes.queries, sizes.keys).take();
  const Status forward = problem.forward(&recorder);
  REQUIRE_MESSAGE(forward.ok(), forward.message());
  REQUIRE(problem.backward(floats(c["d_context"])).ok());
  const std::vector<float> weights(recorder.weights().begin(), recorder.weights().end());
  compare("weights", weights, floats(c["weights"]));
  compare("context", problem.output, floats(c["context"]));
  if (layer.compares_logits) {
    // Only where the layer looks: beyond the mask some classes leave other rows' data.
    std::vector<float> ours, theirs;
    const std::vector<float> expected = floats(c["logits"]);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (!allowed.empty() && !allowed[i % allowed.size()]) continue;
      ours.push_back(recorder.logits()[i]);
      theirs.push_back(expected[i]);
    }
    compare("logits", ours, theirs);
  }
  const json& gradients = c["gradients"];
  compare("gradients", problem.d_v, floats(gradients["v"]));
  // Where a layer's projections are shared with positions, the file's gradients of q and k are of
  // the content's alone, and so are ours.
  compare("gradients", problem.d_q, floats(gradients["q"]));
  compare("gradients", problem.d_k, floats(gradients["k"]));
  if (layer.unpacked)
    for (const auto& [parameter, ours] : layer.unpacked(problem, file["parameters"])) {
      CAPTURE(parameter);
      compare("gradients", ours, floats(gradients["parameters"][parameter]));
    }
  d_parameters.resize(problem.d_parameters.size());
  for (std::size_t p = 0; p < d_parameters.size(); ++p) {
    d_parameters[p].resize(problem.d_parameters[p].size());
    for (std::size_t i = 0; i < d_parameters[p].size(); ++i) d_parameters[p][i] += problem.d_parameters[p][i];
  }
}

void check_layer(const std::string& name, const Layer& layer) {
  const std::string path = "layers/" + name + ".json";
  const json file = reference::golden(path);
  const Compare compare = [&](const char* quantity, const std::vector<float>& ours, const std::vector<float>& theirs) {
    reference::check_golden(path, quantity, contract::largest_difference(ours, theirs));
  };
  for (const json& c : file["cases"]) {
    const std::string which = name + " " + c["name"].get<std::string>();
    CAPTURE(which);
    std::vector<std::vector<float>> d_parameters;
    for (const json& window : windows_of(c)) check_window(layer, file, window, compare, d_parameters);
    for (std::size_t p = 0; p < layer.gradients.size(); ++p) {
      if (layer.gradients[p].empty()) continue;
      CAPTURE(layer.gradients[p]);
      compare("gradients", d_parameters[p], floats(c["gradients"]["parameters"][layer.gradients[p]]));
    }
  }
}

TEST_CASE("attention layers of public models and papers come out the same") {
  for (const auto& [name, layer] : layers()) check_layer(name, layer);
}

}  // namespace
}  // namespace wf
