#include "attention_case.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "tensor/random.h"

namespace wf::contract {
namespace {

std::vector<std::vector<reference::Row>> as_rows(const std::vector<float>& x, int heads, int rows,
                                                 int columns) {
  std::vector<std::vector<reference::Row>> result(heads, std::vector<reference::Row>(rows));
  for (int h = 0; h < heads; ++h)
    for (int t = 0; t < rows; ++t) {
      const float* row = x.data() + (std::size_t(h) * rows + t) * columns;
      result[h][t].assign(row, row + columns);
    }
  return result;
}

// Returns positions [axes, count] as AttentionCase::place describes them. On a video every axis
// differs.
std::vector<std::int32_t> laid_out(const std::vector<std::int32_t>& numbers, int axes) {
  std::vector<std::int32_t> positions;
  for (int a = 0; a < axes; ++a)
    for (std::int32_t n : numbers)
      positions.push_back(axes == 1 || a == axes - 3 ? n : a == axes - 2 ? n / 3 % 3 : n % 3);
  return positions;
}

std::vector<std::int32_t> counted(int count) {
  std::vector<std::int32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

}  // namespace

std::vector<float> random_values(std::size_t count, std::uint64_t seed, float deviation) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& x : values) x = deviation * random.normal();
  return values;
}

double largest_difference(const std::vector<float>& a,
                          const std::vector<std::vector<reference::Row>>& b) {
  double most = 0;
  std::size_t i = 0;
  for (const auto& head : b)
    for (const auto& row : head)
      for (double x : row) {
        const double difference = std::abs(a.at(i++) - x);
        // The comparison is written so that a NaN becomes the result.
        most = difference <= most ? most : difference;
      }
  REQUIRE(i == a.size());
  return most;
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(double(a[i]) - b[i]);
    most = difference <= most ? most : difference;
  }
  return most;
}

AttentionCase::AttentionCase(const SchemeEntry& entry, const OptionValues& options,
                             const Sizes& sizes, bool is_causal, std::uint64_t seed)
    : sizes_(sizes) {
  config = {.num_heads = sizes.heads,
            .num_kv_heads = sizes.kv_heads,
            .head_dim = sizes.head_dim,
            .value_dim = sizes.value_dim,
            .is_causal = is_causal};
  const SchemeShape shape = {.num_heads = sizes.heads,
                             .num_kv_heads = sizes.kv_heads,
                             .head_dim = sizes.head_dim,
                             .value_dim = sizes.value_dim,
                             .width = width()};
  OptionValues completed = options;
  const auto& complete = reference::twin_of(entry.description->id).complete;
  if (complete) complete(shape, completed);
  auto made = make_scheme(entry, shape, completed);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  instance_ = made.take();
  auto scratch = AttentionScratch::make();
  REQUIRE(scratch.ok());
  scratch_ = scratch.take();
  q = random_values(std::size_t(sizes.heads) * sizes.queries * sizes.head_dim, seed);
  k = random_values(std::size_t(sizes.kv_heads) * sizes.keys * sizes.head_dim, seed + 1);
  v = random_values(std::size_t(sizes.kv_heads) * sizes.keys * sizes.value_dim, seed + 2);
  for (const ParameterSpec& spec : instance_.scheme->parameters()) {
    parameters.push_back(random_values(spec.size(), seed + 3 + parameters.size(), 0.5f));
    d_parameters.emplace_back(spec.size(), 0.0f);
  }
  std::vector<float*> values;
  for (auto& p : parameters) values.push_back(p.data());
  instance_.scheme->constrain(values.data());
  if (instance_.scheme->needs_projections()) {
    const std::size_t row = std::size_t(sizes.head_dim) * width();
    projections = {random_values(sizes.heads * row, seed + 20, 0.3f),
                   random_values(sizes.kv_heads * row, seed + 21, 0.3f)};
    d_projections = projections;
  }
  if (instance_.has(kHookFeatures)) {
    const bool of_keys = scheme().feature_side() == FeatureSide::kKeys;
    states = random_values(std::size_t(of_keys ? sizes.keys : sizes.queries) * width(), seed + 22);
  }
  query_positions = laid_out(counted(sizes.queries), axes());
  key_positions = laid_out(counted(sizes.keys), axes());
}

void AttentionCase::place(const std::vector<std::int32_t>& numbers) {
  query_positions = key_positions = laid_out(numbers, axes());
}

void AttentionCase::shift_positions(int by, int axis) {
  for (auto* positions : {&query_positions, &key_positions})
    for (std::size_t i = 0; i < positions->size(); ++i)
      if (axis < 0 || i / (positions->size() / axes()) == std::size_t(axis)) (*positions)[i] += by;
}

void AttentionCase::scale_positions(int by) {
  for (auto* positions : {&query_positions, &key_positions})
    for (auto& p : *positions) p *= by;
}

LayerSchemes AttentionCase::schemes() {
  value_pointers_.clear();
  gradient_pointers_.clear();
  for (auto& p : parameters) value_pointers_.push_back(p.data());
  for (auto& p : d_parameters) gradient_pointers_.push_back(p.data());
  LayerSchemes list;
  list.items[0] = {.scheme = instance_.scheme.get(),
                   .description = &instance_.description(),
                   .hooks = instance_.hooks,
                   .values = value_pointers_.data(),
                   .gradients = gradient_pointers_.data()};
  if (!projections.empty())
    list.items[0].projections = {.query = projections[0].data(),
                                 .key = projections[1].data(),
                                 .d_query = d_projections[0].data(),
                                 .d_key = d_projections[1].data()};
  list.count = 1;
  list.surgery = surgery;
  return list;
}

AttentionInput AttentionCase::input() {
  AttentionInput in;
  in.q = heads_outermost(std::as_const(q).data(), sizes_.heads, sizes_.queries, sizes_.head_dim);
  in.k = heads_outermost(std::as_const(k).data(), sizes_.kv_heads, sizes_.keys, sizes_.head_dim);
  in.v = heads_outermost(std::as_const(v).data(), sizes_.kv_heads, sizes_.keys, sizes_.value_dim);
  in.query_positions = {query_positions.data(), sizes_.queries, axes()};
  in.key_positions = {key_positions.data(), sizes_.keys, axes()};
  if (instance_.has(kHookFeatures))
    (scheme().feature_side() == FeatureSide::kKeys ? in.key_states : in.states) = {
        states.data(), static_cast<int>(states.size()) / width(), width(), width()};
  in.mask = mask;
  if (!segments.empty()) {
    in.mask.query_segments = segments.data();
    in.mask.key_segments = segments_of_keys().data();
  }
  if (!sinks.empty()) in.sinks = sinks.data();
  return in;
}

Status AttentionCase::forward(Recorder* recorder) {
  output.assign(std::size_t(sizes_.heads) * sizes_.queries * sizes_.value_dim, -7.0f);
  const LayerSchemes list = schemes();
  return attention_forward(
      config, list, input(),
      heads_outermost(output.data(), sizes_.heads, sizes_.queries, sizes_.value_dim), saved_,
      scratch_, recorder);
}

Status AttentionCase::backward(const std::vector<float>& probe) {
  d_q.assign(q.size(), 0.0f);
  d_k.assign(k.size(), 0.0f);
  d_v.assign(v.size(), 0.0f);
  d_sinks.assign(sizes_.heads, 0.0f);
  d_states.assign(states.size(), 0.0f);
  for (auto* group : {&d_parameters, &d_projections})
    for (auto& d : *group) std::fill(d.begin(), d.end(), 0.0f);
  const LayerSchemes list = schemes();
  const Matrix rows_of_states = {d_states.data(), static_cast<int>(states.size()) / width(),
                                 width(), width()};
  const auto out = [&](const float* x) {
    return heads_outermost(x, sizes_.heads, sizes_.queries, sizes_.value_dim);
  };
  return attention_backward(
      config, list, input(), out(output.data()), out(probe.data()), saved_, scratch_,
      heads_outermost(d_q.data(), sizes_.heads, sizes_.queries, sizes_.head_dim),
      heads_outermost(d_k.data(), sizes_.kv_heads, sizes_.keys, sizes_.head_dim),
      heads_outermost(d_v.data(), sizes_.kv_heads, sizes_.keys, sizes_.value_dim), d_sinks.data(),
      rows_of_states, rows_of_states);
}

bool AttentionCase::hides(int query, int key) const {
  const auto& of_scheme = reference::twin_of(instance_.entry->description->id).hides;
  return of_scheme && of_scheme(instance_.options, query, key);
}

reference::TwinResult AttentionCase::twin() const {
  reference::TwinInput in;
  in.shape = {.num_heads = sizes_.heads,
              .num_kv_heads = sizes_.kv_heads,
              .head_dim = sizes_.head_dim,
              .value_dim = sizes_.value_dim,
              .width = width()};
  in.value_dim = sizes_.value_dim;
  in.scheme = instance_.entry->description->id;
  in.options = instance_.options;
  for (const auto* group : {&parameters, &projections})
    for (const auto& p : *group) in.parameters.emplace_back(p.begin(), p.end());
  if (!states.empty()) in.parameters.emplace_back(states.begin(), states.end());
  in.q = as_rows(q, sizes_.heads, sizes_.queries, sizes_.head_dim);
  in.k = as_rows(k, sizes_.kv_heads, sizes_.keys, sizes_.head_dim);
  in.v = as_rows(v, sizes_.kv_heads, sizes_.keys, sizes_.value_dim);
  in.query_positions = reference::places_of(query_positions, axes());
  in.key_positions = reference::places_of(key_positions, axes());
  in.softcap = config.softcap;
  in.scale = config.scale;
  in.sinks.assign(sinks.begin(), sinks.end());
  const auto given_at = [this](int h, int t, int s) {
    const ExplicitMask& given = mask.given;
    return h * given.head_stride + t * given.row_stride + s * given.column_stride;
  };
  in.visible = [this, given_at](int h, int t, int s) {
    const double query = double(t) + mask.query_offset;
    if (hides(static_cast<int>(query), s)) return false;
    const auto chunk_of = [this](double index) { return std::floor(index / config.chunk_size); };
    if (config.is_causal && s > query && s >= mask.prefix_length) return false;
    if (config.chunk_size > 0 && chunk_of(query) != chunk_of(s)) return false;
    if (mask.key_length >= 0 && s >= mask.key_length) return false;
    if (config.sliding_window > 0 && std::abs(query - s) >= config.sliding_window) return false;
    if (mask.given.allowed && !mask.given.allowed[given_at(h, t, s)]) return false;
    return segments.empty() || segments[t] == segments_of_keys()[s];
  };
  if (mask.given.additive)
    in.additive_mask = [this, given_at](int h, int t, int s) -> double {
      return mask.given.additive[given_at(h, t, s)];
    };
  return reference::attend(in);
}

double AttentionCase::twin_loss(const std::vector<float>& probe) const {
  double loss = 0;
  std::size_t i = 0;
  for (const auto& head : twin().output)
    for (const auto& row : head)
      for (double x : row) loss += x * probe[i++];
  return loss;
}

}  // namespace wf::contract
