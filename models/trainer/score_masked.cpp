// Losses of hidden tokens of held-out texts, for models that are not causal. Every token is hidden
// exactly once, in one of --rounds rounds, to which a random permutation (--mask-seed) assigns the
// tokens of each stretch of --length evenly; a hidden token is replaced by the mask, the
// vocabulary's last id. Windows are adjacent; the same rounds are used for every --multiple of the
// length. <|end|> is never hidden.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "trainer/fail.h"
#include "trainer/files.h"
#include "trainer/setup.h"
#include "trainer/threads.h"
#include "trainer/verbs.h"
#include "trainer/windows.h"

namespace trainer {
namespace {

// Returns the round of each token.
std::vector<int> deal(std::size_t tokens, int stretch, int rounds, std::uint64_t seed) {
  std::vector<int> dealt(tokens);
  wf::Random random(seed);
  for (std::size_t first = 0; first < tokens; first += static_cast<std::size_t>(stretch)) {
    const std::size_t count = std::min(tokens - first, static_cast<std::size_t>(stretch));
    for (std::size_t i = 0; i < count; ++i) dealt[first + i] = static_cast<int>(i) % rounds;
    for (std::size_t i = count; i > 1; --i)
      std::swap(dealt[first + i - 1], dealt[first + random.below(static_cast<std::uint32_t>(i))]);
  }
  return dealt;
}

struct MaskedReader {
  const wf::Transformer& model;
  Threads& threads;
  int rounds;
  int end_id;
  std::vector<char> is_mark;

  // Computes the losses of the first `tokens` tokens, in windows of `length`; the last one may be
  // shorter.
  wf::Result<Losses> read(const std::vector<std::int32_t>& ids, const std::vector<int>& dealt,
                          std::size_t tokens, int length) const {
    const int windows = static_cast<int>((tokens + static_cast<std::size_t>(length) - 1) /
                                         static_cast<std::size_t>(length));
    const int count = windows * rounds;
    std::vector<Losses> all(static_cast<std::size_t>(count));
    std::vector<wf::Status> statuses(static_cast<std::size_t>(count));
    threads.for_each(count, [&](int index) {
      wf::TransformerActivations activations = require(
          wf::TransformerActivations::make(model.config(), 1, length, wf::Purpose::kInference));
      const std::size_t begin = static_cast<std::size_t>(index / rounds) * length;
      const int used = static_cast<int>(std::min<std::size_t>(length, tokens - begin));
      std::vector<std::int32_t> shown(ids.begin() + static_cast<std::ptrdiff_t>(begin),
                                      ids.begin() + static_cast<std::ptrdiff_t>(begin) + used);
      std::vector<std::int32_t> targets(shown.size(), -1);
      for (std::size_t t = 0; t < shown.size(); ++t) {
        if (dealt[begin + t] != index % rounds || shown[t] == end_id) continue;
        targets[t] = shown[t];
        shown[t] = model.config().vocab_size - 1;
      }
      wf::TokenBatch batch;
      batch.ids = shown.data();
      batch.length = used;
      const auto done = model.loss(batch, targets.data(), activations);
      statuses[static_cast<std::size_t>(index)] = done.status();
      if (!done.ok()) return;
      Losses& losses = all[static_cast<std::size_t>(index)];
      for (std::size_t t = 0; t < shown.size(); ++t) {
        if (targets[t] < 0) continue;
        losses.take(static_cast<double>(activations.row_losses()[t]),
                    is_mark[static_cast<std::size_t>(targets[t])]);
      }
    });
    Losses sum;
    for (int i = 0; i < count; ++i) {
      WF_RETURN_IF_ERROR(statuses[static_cast<std::size_t>(i)]);
      sum.add(all[static_cast<std::size_t>(i)]);
    }
    return sum;
  }
};

}  // namespace

int score_masked(Arguments& arguments) {
  const wf::Transformer model = model_from(arguments);
  Threads threads(arguments.integer("threads"));
  MaskedReader reader{model, threads, arguments.integer("rounds"), arguments.integer("end-id"),
                      std::vector<char>(static_cast<std::size_t>(model.config().vocab_size), 0)};
  for (const std::string& mark : arguments.all("mark"))
    reader.is_mark.at(static_cast<std::size_t>(std::atoi(mark.c_str()))) = 1;
  const auto seed = static_cast<std::uint64_t>(arguments.number("mask-seed"));
  const int length = arguments.integer("length");
  std::vector<int> windows;
  for (const std::string& multiple : arguments.all("multiple"))
    windows.push_back(length * std::atoi(multiple.c_str()));
  const std::vector<std::string> texts = arguments.all("text");
  arguments.finish();
  const int longest = windows.empty() ? length : *std::max_element(windows.begin(), windows.end());
  for (const std::string& text : texts) {
    const auto [name, path] = halves(text);
    const std::vector<std::int32_t> ids = read_ids(path);
    const std::vector<int> dealt = deal(ids.size(), length, reader.rounds, seed);
    const Losses whole = require(reader.read(ids, dealt, ids.size(), length));
    std::printf(
        "{\"event\":\"score\",\"text\":\"%s\",\"tokens\":%d,\"nats\":%.6f,"
        "\"tokensWithoutMarks\":%d,\"natsWithoutMarks\":%.6f}\n",
        name.c_str(), whole.tokens, whole.nats, whole.tokens_without_marks,
        whole.nats_without_marks);
    std::fflush(stdout);
    const std::size_t tokens = ids.size() / static_cast<std::size_t>(longest) * longest;
    for (const int window : windows) {
      const wf::Result<Losses> cut = reader.read(ids, dealt, tokens, window);
      std::printf("{\"event\":\"length\",\"text\":\"%s\",\"length\":%d", name.c_str(), window);
      if (cut.ok())
        std::printf(",\"tokens\":%d,\"nats\":%.6f}\n", cut.value().tokens, cut.value().nats);
      else if (cut.status().code() == wf::Code::kInvalidArgument)
        std::printf(",\"undefined\":\"%s\"}\n", cut.status().message());
      else
        require(cut.status());
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace trainer
