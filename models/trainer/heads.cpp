// Measures the attention of each head over whole held-out texts: in adjacent windows of --length
// tokens, all of which are recorded. For each layer and head:
//   mass       share of all attention by key − query, at each offset from -reach to 0 (or reach),
//              and one number at each end for larger distances
//   previous   mean weight on the previous token
//   induction  mean weight on tokens that followed an earlier occurrence of the present token, of
//              queries that have one (Olsson et al. 2022, arXiv 2209.11895: prefix matching)
//   delimiter  mean weight on --mark ids
//   metre      mean weight on the same position in the previous line of verse, of queries in a line
//              that follows one of equal length; --line and --poem ids end lines and poems
//   terms      for each term, Σ cov(term, logit) / Σ var(logit) over the visible keys of a query;
//              they sum to 1
// and once for a text ("uniform") the scores of a head with uniform attention.

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "attention/recorder.h"
#include "trainer/fail.h"
#include "trainer/files.h"
#include "trainer/setup.h"
#include "trainer/verbs.h"

namespace trainer {
namespace {

struct Ids {
  std::vector<char> is_mark, ends_line, ends_poem;  // by id
};

std::vector<char> ids_from(Arguments& arguments, const char* name, int vocab_size) {
  std::vector<char> is(static_cast<std::size_t>(vocab_size), 0);
  for (const std::string& id : arguments.all(name))
    is.at(static_cast<std::size_t>(std::atoi(id.c_str()))) = 1;
  return is;
}

// Keys of interest in one window, for each query.
struct Window {
  const std::int32_t* ids;
  int length;
  bool is_causal;
  std::vector<int> metre_key;  // by query; -1: none

  Window(const std::int32_t* tokens, int count, bool causal, const Ids& kinds)
      : ids(tokens),
        length(count),
        is_causal(causal),
        metre_key(static_cast<std::size_t>(count), -1) {
    int line = -1, before = -1;  // beginnings of this line and of the one before it; -1: unknown
    for (int t = 0; t < count; ++t) {
      const auto id = static_cast<std::size_t>(tokens[t]);
      if (kinds.ends_poem[id]) {
        line = t + 1;
        before = -1;
      } else if (kinds.ends_line[id]) {
        // Fills in this line's positions, now that its length is known.
        if (line >= 0 && before >= 0 && t - line == line - 1 - before)
          for (int i = line; i < t; ++i) metre_key[static_cast<std::size_t>(i)] = before + i - line;
        before = line;
        line = t + 1;
      }
    }
  }

  int visible(int query) const { return is_causal ? query + 1 : length; }
  bool is_induction(int query, int key) const {
    return key >= 1 && key < query && ids[key - 1] == ids[query];
  }
};

struct Mean {
  double sum = 0;
  int count = 0;
  void add(double value) {
    sum += value;
    ++count;
  }
  double value() const { return count ? sum / count : 0; }
};

struct HeadSums {
  std::vector<double> mass;  // [2 · reach + 3]
  double rows = 0, variance = 0;
  Mean previous, induction, delimiter, metre;
  double covariance[wf::kMaxTerms] = {};

  // Adds the weights of one query, from `weight(key)`.
  template <class Weight>
  void add_row(const Window& window, int query, int reach, const Ids& kinds, Weight&& weight) {
    double on_induction = 0, on_delimiter = 0;
    bool has_induction = false;
    const int keys = window.visible(query);
    for (int key = 0; key < keys; ++key) {
      const double w = weight(key);
      const int offset = std::clamp(key - query, -reach - 1, reach + 1);
      mass[static_cast<std::size_t>(offset + reach + 1)] += w;
      if (window.is_induction(query, key)) {
        has_induction = true;
        on_induction += w;
      }
      if (kinds.is_mark[static_cast<std::size_t>(window.ids[key])]) on_delimiter += w;
    }
    ++rows;
    delimiter.add(on_delimiter);
    if (query > 0) previous.add(weight(query - 1));
    if (has_induction) induction.add(on_induction);
    const int metre_key = window.metre_key[static_cast<std::size_t>(query)];
    if (metre_key >= 0) metre.add(weight(metre_key));
  }

  // Adds terms [count] of one query's visible keys.
  void add_terms(const float* const* terms, int count, int keys) {
    double means[wf::kMaxTerms] = {}, mean = 0;
    for (int t = 0; t < count; ++t) {
      for (int key = 0; key < keys; ++key) means[t] += static_cast<double>(terms[t][key]);
      means[t] /= keys;
      mean += means[t];
    }
    for (int key = 0; key < keys; ++key) {
      double logit = -mean;
      for (int t = 0; t < count; ++t) logit += static_cast<double>(terms[t][key]);
      variance += logit * logit / keys;
      for (int t = 0; t < count; ++t)
        covariance[t] += (static_cast<double>(terms[t][key]) - means[t]) * logit / keys;
    }
  }

  void print(int reach, bool is_causal) const {
    std::printf("\"mass\":[");
    const int last = is_causal ? reach + 1 : 2 * reach + 2;
    for (int i = 0; i <= last; ++i)
      std::printf("%s%.5f", i ? "," : "", mass[static_cast<std::size_t>(i)] / rows);
    std::printf("],\"previous\":%.5f,\"induction\":%.5f,\"delimiter\":%.5f", previous.value(),
                induction.value(), delimiter.value());
    if (metre.count) std::printf(",\"metre\":%.5f", metre.value());
  }
};

// Ids of interest, and the reach to either side of a query.
struct Search {
  Ids kinds;
  int length, reach;
};

// A recorder for each layer, and pointers to them.
struct Recorders {
  std::vector<wf::Recorder> of_layer;
  std::vector<wf::Recorder*> asked;

  Recorders(const wf::Transformer& model, int length) {
    const wf::ModelConfig& config = model.config();
    of_layer.reserve(static_cast<std::size_t>(config.num_layers));
    for (int layer = 0; layer < config.num_layers; ++layer) {
      of_layer.push_back(require(wf::Recorder::make(wf::kRecordWeights | wf::kRecordTerms, {},
                                                    model.layer_schemes(layer), config.num_heads,
                                                    config.head_dim, length, length)));
      asked.push_back(&of_layer.back());
    }
  }
};

// Sums over all windows of a text.
struct TextSums {
  HeadSums uniform;  // of a head with uniform attention
  std::vector<HeadSums> heads;  // layer by layer
  int windows = 0;

  TextSums(const wf::ModelConfig& config, int reach)
      : heads(static_cast<std::size_t>(config.num_layers) *
              static_cast<std::size_t>(config.num_heads)) {
    uniform.mass.resize(static_cast<std::size_t>(2 * reach + 3));
    for (HeadSums& sums : heads) sums.mass = uniform.mass;
  }
};

// Adds a head's weights and terms of a window, as recorded for its layer.
void add_head(const wf::Recorder& recorder, int head, const Window& window, const Search& search,
              HeadSums& sums) {
  const int length = search.length;
  for (int query = 0; query < length; ++query) {
    const std::size_t row = (static_cast<std::size_t>(head) * length + query) * length;
    const float* weights = recorder.weights().data() + row;
    sums.add_row(window, query, search.reach, search.kinds,
                 [&](int key) { return static_cast<double>(weights[key]); });
    const float* terms[wf::kMaxTerms];
    for (int t = 0; t < recorder.term_count(); ++t) terms[t] = recorder.term(t).data() + row;
    sums.add_terms(terms, recorder.term_count(), window.visible(query));
  }
}

TextSums sums_of(const std::vector<std::int32_t>& ids, const wf::Transformer& model,
                 const Search& search, Recorders& recorders,
                 wf::TransformerActivations& activations) {
  const wf::ModelConfig& config = model.config();
  const int length = search.length;
  TextSums sums(config, search.reach);
  sums.windows = static_cast<int>(ids.size()) / length;
  for (int w = 0; w < sums.windows; ++w) {
    wf::TokenBatch batch;
    batch.ids = ids.data() + static_cast<std::ptrdiff_t>(w) * length;
    batch.length = length;
    require(model.forward(batch, activations, {recorders.asked.data(), recorders.asked.size()}));
    const Window window(batch.ids, length, config.is_causal, search.kinds);
    for (int query = 0; query < length; ++query)
      sums.uniform.add_row(window, query, search.reach, search.kinds,
                           [&](int) { return 1.0 / window.visible(query); });
    HeadSums* next = sums.heads.data();
    for (const wf::Recorder& recorder : recorders.of_layer)
      for (int head = 0; head < config.num_heads; ++head)
        add_head(recorder, head, window, search, *next++);
  }
  return sums;
}

// Prints a line of JSON for the text, and one for each head.
void print(const std::string& name, const TextSums& sums, const Recorders& recorders, int reach,
           const wf::ModelConfig& config) {
  std::printf("{\"event\":\"uniform\",\"text\":\"%s\",\"windows\":%d,", name.c_str(), sums.windows);
  sums.uniform.print(reach, config.is_causal);
  std::printf("}\n");
  for (std::size_t i = 0; i < sums.heads.size(); ++i) {
    const auto heads = static_cast<std::size_t>(config.num_heads);
    const HeadSums& head = sums.heads[i];
    const wf::Recorder& recorder = recorders.of_layer[i / heads];
    std::printf("{\"event\":\"head\",\"text\":\"%s\",\"layer\":%zu,\"head\":%zu,", name.c_str(),
                i / heads, i % heads);
    head.print(reach, config.is_causal);
    std::printf(",\"terms\":{");
    for (int t = 0; t < recorder.term_count(); ++t)
      std::printf("%s\"%s\":%.5f", t ? "," : "", recorder.term_name(t),
                  head.variance > 0 ? head.covariance[t] / head.variance : 0.0);
    std::printf("}}\n");
  }
  std::fflush(stdout);
}

}  // namespace

int heads(Arguments& arguments) {
  const wf::Transformer model = model_from(arguments);
  const wf::ModelConfig& config = model.config();
  const Search search = {.kinds = {ids_from(arguments, "mark", config.vocab_size),
                                   ids_from(arguments, "line", config.vocab_size),
                                   ids_from(arguments, "poem", config.vocab_size)},
                         .length = arguments.integer("length"),
                         .reach = arguments.integer("reach")};
  const std::vector<std::string> texts = arguments.all("text");
  arguments.finish();
  wf::TransformerActivations activations =
      require(wf::TransformerActivations::make(config, 1, search.length, wf::Purpose::kInference));
  Recorders recorders(model, search.length);
  for (const std::string& text : texts) {
    const auto [name, path] = halves(text);
    const TextSums sums = sums_of(read_ids(path), model, search, recorders, activations);
    print(name, sums, recorders, search.reach, config);
  }
  return 0;
}

}  // namespace trainer
