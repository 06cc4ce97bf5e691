#include "contract/random_problem.h"

#include <climits>
#include <cmath>
#include <sstream>

#include "contract/each_scheme.h"

namespace wf::contract {
namespace {

OptionValues random_options(Choices& choices, const SchemeDescription& description) {
  OptionValues options = default_options(description);
  for (std::size_t i = 0; i < description.options.size(); ++i) {
    const Option& option = description.options[i];
    if (choices.below(2) == 0) continue;
    switch (option.kind) {
      case OptionKind::kBoolean:
        options.values[i] = 1 - option.default_value;
        break;
      case OptionKind::kChoice:
        options.values[i] = choices.below(static_cast<std::uint32_t>(option.choices.size()));
        break;
      case OptionKind::kInteger: {
        // Small values, which have the edge cases: tables with few rows, windows of one token.
        const double most = std::min({option.maximum, option.minimum + 40});
        options.values[i] = std::floor(choices.between(option.minimum, most));
        break;
      }
      case OptionKind::kNumber:
        options.values[i] = choices.between(std::max(option.minimum, option.default_value / 4),
                                            std::min(option.maximum, option.default_value * 2 + 1));
        break;
      case OptionKind::kText:
      case OptionKind::kList:  // set by the twin
        break;
    }
  }
  return options;
}

int random_size(Choices& choices) {
  switch (choices.below(16)) {
    case 0:
    case 1:
      return choices.from(0, 3);
    case 2:
    case 3:
      return choices.from(40, 60);  // near the size of a block of queries
    case 4:
      return choices.from(kTileKeys - 18, kPastTile);
    default:
      return choices.from(1, 12);
  }
}

Sizes random_sizes(Choices& choices) {
  Sizes sizes;
  sizes.queries = random_size(choices);
  sizes.keys = choices.once_in(3) ? sizes.queries : random_size(choices);
  const bool is_small = sizes.queries * sizes.keys <= 200;
  sizes.kv_heads = choices.from(1, is_small ? 3 : 2);
  sizes.heads = sizes.kv_heads * choices.from(1, is_small ? 3 : 1);
  sizes.head_dim = is_small && choices.once_in(4) ? choices.one_of({16, 24, 33})  //
                                                  : choices.from(1, 10);
  sizes.value_dim = choices.from(1, is_small && choices.once_in(4) ? 34 : 9);
  sizes.width = choices.one_of({0, 12, 8});
  return sizes;
}

// Returns positions [axes, count], in steps of one or another number, with gaps or repeats, or in
// random order. The first may be negative.
std::vector<std::int32_t> random_positions(Choices& choices, int count, int axes) {
  const int first = choices.one_of({0, 0, 5, -7, 300}), form = choices.from(0, 4);
  const int step = choices.one_of({1, 2, 7, -1});
  std::vector<std::int32_t> positions;
  for (int a = 0; a < axes; ++a) {
    int at = first;
    for (int i = 0; i < count; ++i) {
      positions.push_back(form == 4 ? first + choices.from(0, 40) : at);
      at += form <= 1 ? 1 : form == 2 ? step : choices.one_of({1, 1, 0, 3, 40});
    }
  }
  return positions;
}

std::vector<std::int32_t> random_segments(Choices& choices, int count) {
  std::vector<std::int32_t> segments;
  for (int i = 0, at = 0; i < count; ++i) {
    segments.push_back(at);
    at = choices.once_in(4) ? choices.from(0, 2) : at;
  }
  return segments;
}

// Sets a mask of any shape that broadcasts to [H,T,S], stored by rows or by columns.
void give_mask(Choices& choices, RandomProblem& made) {
  const Sizes& sizes = made.problem->sizes();
  ExplicitMask& given = made.problem->mask.given;
  const int heads = choices.once_in(2) ? sizes.heads : 1;
  const int rows = choices.once_in(4) ? 1 : sizes.queries;
  const int columns = choices.once_in(4) ? 1 : sizes.keys;
  const bool by_columns = choices.once_in(4);
  given.head_stride = heads > 1 ? std::ptrdiff_t{rows} * columns : 0;
  given.row_stride = rows > 1 ? (by_columns ? 1 : columns) : 0;
  given.column_stride = columns > 1 ? (by_columns ? rows : 1) : 0;
  const std::size_t count = std::size_t(heads) * rows * columns;
  const int kinds = choices.from(1, 3);
  if (kinds & 1) {
    for (std::size_t i = 0; i < count; ++i)
      made.additive.push_back(choices.once_in(4) ? -INFINITY
                                                 : static_cast<float>(choices.between(-3, 3)));
    given.additive = made.additive.data();
  }
  if (kinds & 2) {
    for (std::size_t i = 0; i < count; ++i) made.allowed.push_back(!choices.once_in(3));
    given.allowed = made.allowed.data();
  }
  made.text += " mask [" + std::to_string(heads) + "," + std::to_string(rows) + "," +
               std::to_string(columns) + "]" + (by_columns ? "ᵀ" : "") +
               (kinds & 1 ? " added" : "") + (kinds & 2 ? " allowed" : "");
}

int random_reach(Choices& choices) {
  if (!choices.once_in(3)) return 0;
  return choices.one_of({choices.from(1, 20), 1, 2, 128, INT_MAX - 1, INT_MAX});
}

void choose_config(Choices& choices, AttentionCase& problem) {
  AttentionConfig& config = problem.config;
  config.sliding_window = random_reach(choices);
  config.chunk_size = random_reach(choices);
  if (choices.once_in(3)) config.scale = static_cast<float>(choices.between(0.01, 1.5));
  if (choices.once_in(3)) config.softcap = static_cast<float>(choices.between(0.5, 30));
  if (choices.once_in(3))
    for (int h = 0; h < problem.sizes().heads; ++h)
      problem.sinks.push_back(static_cast<float>(choices.between(-4, 4)));
}

// Chooses the rules of visibility, except explicit masks.
void choose_rules(Choices& choices, AttentionCase& problem) {
  const Sizes& sizes = problem.sizes();
  Mask& mask = problem.mask;
  if (choices.once_in(2)) mask.query_offset = choices.from(-sizes.queries - 2, sizes.keys + 2);
  if (choices.once_in(3)) mask.key_length = choices.from(0, sizes.keys);
  if (choices.once_in(3)) mask.prefix_length = choices.from(0, sizes.keys);
  if (choices.once_in(4) && sizes.queries && sizes.keys) {
    problem.segments = random_segments(choices, sizes.queries);
    problem.key_segments = random_segments(choices, sizes.keys);
  }
}

void describe(RandomProblem& made) {
  const AttentionCase& problem = *made.problem;
  const AttentionConfig& config = problem.config;
  const Mask& mask = problem.mask;
  std::ostringstream text;
  text << (config.is_causal ? " causal" : "") << " window " << config.sliding_window << " chunk "
       << config.chunk_size << " scale " << config.scale << " softcap " << config.softcap
       << " offset " << mask.query_offset << " key length " << mask.key_length << " prefix "
       << mask.prefix_length << " sinks " << problem.sinks.size()
       << (problem.segments.empty() ? "" : " segments");
  made.text += text.str();
}

// Returns some of the indices, or an empty list, which means all.
std::vector<std::int32_t> some_of(Choices& choices, int count) {
  std::vector<std::int32_t> list;
  if (!choices.once_in(4)) return list;
  for (int i = 0; i < count; ++i)
    if (choices.once_in(2)) list.push_back(i);
  return list;
}

// Makes a problem with a random scheme and options, and random numbers of these sizes.
RandomProblem random_case(Choices& choices, const Sizes& sizes, bool may_look_ahead) {
  const auto entries = scheme_entries();
  const SchemeEntry& entry = *entries[choices.below(static_cast<std::uint32_t>(entries.size()))];
  const SchemeDescription& description = *entry.description;
  const SchemeShape shape = {.num_heads = sizes.heads,
                             .num_kv_heads = sizes.kv_heads,
                             .head_dim = sizes.head_dim,
                             .value_dim = sizes.value_dim,
                             .width = sizes.width ? sizes.width : sizes.heads * sizes.head_dim};
  OptionValues options = random_options(choices, description);
  const auto& complete = reference::twin_of(description.id).complete;
  if (complete) complete(shape, options);
  RandomProblem made;
  std::ostringstream text;
  text << description.id;
  for (std::size_t i = 0; i < description.options.size(); ++i)
    if (options[i] != description.options[i].default_value)
      text << " " << description.options[i].key << "=" << options[i];
  text << " H " << sizes.heads << " K " << sizes.kv_heads << " D " << sizes.head_dim << " Dv "
       << sizes.value_dim << " T " << sizes.queries << " S " << sizes.keys << " E " << shape.width;
  made.text = text.str();
  const bool is_causal = !may_look_ahead || !description.claims.bidirectional || choices.once_in(2);
  if (make_scheme(entry, shape, options).ok())
    made.problem =
        std::make_unique<AttentionCase>(entry, options, sizes, is_causal, choices.below(1 << 20));
  return made;
}

}  // namespace

RandomProblem random_problem(Choices& choices) {
  RandomProblem made = random_case(choices, random_sizes(choices), true);
  if (!made.problem) return made;
  AttentionCase& problem = *made.problem;
  const Sizes& sizes = problem.sizes();
  problem.key_positions = random_positions(choices, sizes.keys, problem.axes());
  problem.query_positions = sizes.queries == sizes.keys && choices.once_in(2)
                                ? problem.key_positions
                                : random_positions(choices, sizes.queries, problem.axes());
  choose_config(choices, problem);
  choose_rules(choices, problem);
  describe(made);
  if (choices.once_in(3) && sizes.queries && sizes.keys) give_mask(choices, made);
  made.heads = some_of(choices, sizes.heads);
  made.rows = some_of(choices, sizes.queries);
  made.columns = some_of(choices, sizes.keys);
  made.region = {made.heads, made.rows, made.columns};
  return made;
}

RandomProblem random_decoding(Choices& choices) {
  Sizes sizes = random_sizes(choices);
  sizes.queries = sizes.keys =
      choices.one_of({choices.from(1, 20), choices.from(kTileKeys - 8, kTileKeys + 12)});
  RandomProblem made = random_case(choices, sizes, false);
  if (!made.problem) return made;
  AttentionCase& problem = *made.problem;
  if (!problem.entry().description->claims.decodes) {
    made.problem = nullptr;
    return made;
  }
  problem.key_positions = random_positions(choices, sizes.keys, problem.axes());
  problem.query_positions = problem.key_positions;
  choose_config(choices, problem);
  describe(made);
  return made;
}

}  // namespace wf::contract
