// Times of the core's kernels, natively:
//   cmake --preset release && cmake --build build/release --target kernels_bench
//   build/release/kernels_bench --benchmark_filter=matmul
// Attention is timed with every scheme, forward and backward; `nope` is attention without any.

#include <benchmark/benchmark.h>

#include <string>

#include "attention_problem.h"
#include "kernels/layer_norm.h"
#include "kernels/matmul.h"
#include "kernels/rotate_pairs.h"
#include "kernels/softmax.h"

namespace wf::bench {
namespace {

void count_flops(benchmark::State& state, double flops) {
  state.counters["FLOP/s"] = benchmark::Counter(
      flops, benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
}
void count_numbers(benchmark::State& state, std::size_t count) {
  state.SetItemsProcessed(static_cast<std::int64_t>(count) * state.iterations());
}

void matmul_of(benchmark::State& state) {
  const int m = static_cast<int>(state.range(0)), k = static_cast<int>(state.range(1)),
            n = static_cast<int>(state.range(2));
  const std::vector<float> a = random_values(std::size_t(m) * k, 1);
  const std::vector<float> b = random_values(std::size_t(k) * n, 2);
  std::vector<float> c(std::size_t(m) * n);
  Result<MatmulScratch> scratch = MatmulScratch::make();
  if (!scratch.ok()) return state.SkipWithError(scratch.status().message());
  for (auto _ : state) {
    matmul(m, n, k, 1, {a.data(), k}, {b.data(), n}, c.data(), n, Accumulate::kNo, scratch.value());
    benchmark::ClobberMemory();
  }
  count_flops(state, 2.0 * m * k * n);
}
BENCHMARK(matmul_of)
    ->Name("matmul")
    ->Args({64, 64, 64})
    ->Args({128, 128, 128})
    ->Args({256, 256, 256})
    ->Args({512, 512, 512})
    ->Args({512, 576, 576})
    ->Args({512, 576, 1536})
    ->Args({1, 576, 1536})
    ->Unit(benchmark::kMillisecond);

void softmax_of(benchmark::State& state) {
  const int rows = 512, columns = 512;
  const std::vector<float> x = random_values(std::size_t(rows) * columns, 1);
  std::vector<float> y(x.size());
  for (auto _ : state) {
    y = x;
    for (int i = 0; i < rows; ++i) {
      float* row = y.data() + std::size_t(i) * columns;
      scale_row(row, columns, 1 / exponentials(row, columns, row_maximum(row, columns)));
    }
    benchmark::ClobberMemory();
  }
  count_numbers(state, x.size());
}
BENCHMARK(softmax_of)->Name("softmax/512/512")->Unit(benchmark::kMillisecond);

void exponentials_of(benchmark::State& state) {
  const std::vector<float> x = random_values(4096, 1);
  std::vector<float> y(x.size());
  for (auto _ : state) {
    y = x;
    benchmark::DoNotOptimize(exponentials(y.data(), static_cast<int>(y.size()), 4));
  }
  count_numbers(state, x.size());
}
BENCHMARK(exponentials_of)->Name("exp/4096")->Unit(benchmark::kMillisecond);

void layer_norm_of(benchmark::State& state) {
  const int rows = 512, columns = 576;
  const std::vector<float> x = random_values(std::size_t(rows) * columns, 1);
  const std::vector<float> weight = random_values(columns, 2), bias = random_values(columns, 3);
  std::vector<float> y(x.size());
  for (auto _ : state) {
    layer_norm({x.data(), rows, columns, columns}, weight.data(), bias.data(), 1e-5f,
               {y.data(), rows, columns, columns});
    benchmark::ClobberMemory();
  }
  count_numbers(state, x.size());
}
BENCHMARK(layer_norm_of)->Name("layer_norm/512/576")->Unit(benchmark::kMillisecond);

void rotate_of(benchmark::State& state) {
  const int heads = 8, tokens = 512, columns = 64, pairs = columns / 2;
  const bool interleaved = state.range(0) != 0;
  std::vector<float> x = random_values(std::size_t(heads) * tokens * columns, 1);
  // A rotation with cosine 3/5 and sine 4/5, repeated: numbers keep their magnitude.
  const std::vector<float> cosines(std::size_t(tokens) * pairs, 0.6f);
  const std::vector<float> sines(cosines.size(), 0.8f);
  for (auto _ : state) {
    for (int h = 0; h < heads; ++h) {
      float* head = x.data() + std::size_t(h) * tokens * columns;
      rotate_pairs(cosines.data(), sines.data(), pairs, interleaved,
                   {head, tokens, columns, columns});
    }
    benchmark::ClobberMemory();
  }
  count_numbers(state, x.size());
}
BENCHMARK(rotate_of)
    ->Name("rotate/512x8x64")
    ->ArgName("interleaved")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond);

// `state.range(0)` tokens; the work is one pass, forward or backward.
void attention_of(benchmark::State& state, const SchemeEntry& entry, bool is_backward) {
  const int heads = 8, head_dim = 64;
  auto made = AttentionProblem::make(entry, heads, static_cast<int>(state.range(0)), head_dim);
  if (!made.ok()) return state.SkipWithError(made.status().message());
  AttentionProblem& problem = *made.value();
  const auto pass = [&] { return is_backward ? problem.backward() : problem.forward(); };
  Status status = problem.forward();
  if (status.ok()) status = pass();
  if (!status.ok()) return state.SkipWithError(status.message());
  for (auto _ : state) {
    if (!pass().ok()) return state.SkipWithError("it failed");
    benchmark::ClobberMemory();
  }
  count_flops(state, problem.flops() * (is_backward ? 2.5 : 1));
}

void register_attention() {
  for (const SchemeEntry* entry : scheme_entries()) {
    for (const bool is_backward : {false, true}) {
      const std::string name =
          std::string(is_backward ? "attention_backward/" : "attention_forward/") +
          entry->description->id;
      const auto work = [entry, is_backward](benchmark::State& state) {
        attention_of(state, *entry, is_backward);
      };
      benchmark::RegisterBenchmark(name.c_str(), work)
          ->Arg(128)
          ->Arg(512)
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace
}  // namespace wf::bench

int main(int argc, char** argv) {
  wf::bench::register_attention();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
