// Compares the times of models that differ in their scheme: reading a text (--forward LENGTH…), and
// a step of training (--train LENGTH…, on --tokens tokens in total). Rounds are interleaved: each
// times every scheme, in changing order. Prints the milliseconds of each round.
//
//   --scheme ID, repeatable; --scheme-option ID.KEY:VALUE, where VALUE may be "length".
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

#include "trainer/fail.h"
#include "trainer/setup.h"
#include "trainer/verbs.h"

namespace trainer {
namespace {

struct Contender {
  std::string scheme;
  std::function<void()> run;
};

struct Rounds {
  int most;
  int least;
  double budget_ms;  // of one length
};

double milliseconds(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

void measure(const char* work, int length, const std::vector<Contender>& contenders,
             const Rounds& rounds) {
  double cost = 0;
  // The first call allocates memory; the second gives the cost of later ones.
  for (const Contender& one : contenders) one.run();
  for (const Contender& one : contenders) cost += milliseconds(one.run);
  // Short work is easily interrupted by other work, so the minimum of three is taken.
  const int passes = cost < 100 ? 3 : 1;
  const int fit = static_cast<int>(rounds.budget_ms / (cost * passes));
  const int count = std::max(rounds.least, std::min(rounds.most, fit));
  const int schemes = static_cast<int>(contenders.size());
  for (int round = 0; round < count; ++round) {
    std::vector<double> times(contenders.size(), 1e300);
    for (int pass = 0; pass < passes; ++pass)
      for (int i = 0; i < schemes; ++i) {
        const auto turn = static_cast<std::size_t>((i + round + pass) % schemes);
        times[turn] = std::min(times[turn], milliseconds(contenders[turn].run));
      }
    std::printf("{\"event\":\"round\",\"work\":\"%s\",\"length\":%d,\"times\":{", work, length);
    for (std::size_t i = 0; i < times.size(); ++i)
      std::printf("%s\"%s\":%.5f", i ? "," : "", contenders[i].scheme.c_str(), times[i]);
    std::printf("}}\n");
    std::fflush(stdout);
  }
}

// Returns the options of a scheme, among those given as ID.KEY:VALUE.
std::vector<std::string> options_of(const std::string& id, const std::vector<std::string>& all,
                                    int length) {
  std::vector<std::string> own;
  for (const std::string& option : all) {
    if (option.rfind(id + ".", 0) != 0) continue;
    const auto [key, value] = halves(option.substr(id.size() + 1));
    own.push_back(key + ":" + (value == "length" ? std::to_string(length) : value));
  }
  return own;
}

std::vector<std::int32_t> text_of(int tokens, int vocab_size) {
  std::vector<std::int32_t> ids(static_cast<std::size_t>(tokens));
  wf::Random random(1);
  for (std::int32_t& id : ids) id = static_cast<std::int32_t>(random.below(vocab_size));
  return ids;
}

}  // namespace

int cost(Arguments& arguments) {
  const wf::ModelConfig sizes = sizes_from(arguments);
  const std::vector<std::string> ids = arguments.all("scheme");
  const std::vector<std::string> options = arguments.all("scheme-option");
  const std::vector<std::string> forward = arguments.all("forward");
  const std::vector<std::string> train = arguments.all("train");
  const int tokens = arguments.integer("tokens");
  const Rounds rounds{arguments.integer("rounds"), arguments.integer("least-rounds"),
                      arguments.number("budget-ms")};
  arguments.finish();

  const auto models_for = [&](int length) {
    std::vector<wf::Transformer> models;
    models.reserve(ids.size());
    for (const std::string& id : ids) {
      wf::ModelConfig config = sizes;
      add_scheme(config, id, options_of(id, options, length));
      models.push_back(require(wf::Transformer::make(config, 1)));
    }
    return models;
  };
  for (const std::string& word : forward) {
    const int length = std::atoi(word.c_str());
    std::vector<wf::Transformer> models = models_for(length);
    const std::vector<std::int32_t> text = text_of(length + 1, sizes.vocab_size);
    std::vector<wf::TransformerActivations> activations;
    activations.reserve(ids.size());
    std::vector<Contender> contenders;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      activations.push_back(require(wf::TransformerActivations::make(models[i].config(), 1, length,
                                                                     wf::Purpose::kInference)));
      contenders.push_back({ids[i], [&, i, length] {
                              wf::TokenBatch batch;
                              batch.ids = text.data();
                              batch.length = length;
                              require(models[i].loss(batch, text.data() + 1, activations[i]));
                            }});
    }
    measure("forward", length, contenders, rounds);
  }
  for (const std::string& word : train) {
    const int length = std::atoi(word.c_str());
    std::vector<wf::Transformer> models = models_for(length);
    const std::vector<std::int32_t> text = text_of(64 * length, sizes.vocab_size);
    const wf::TokenStream stream{text, 1};
    const auto task = require(wf::make_task("language_model", {sizes.vocab_size, {&stream, 1}}));
    wf::TrainerConfig config;
    config.length = length;
    config.batch = std::max(1, tokens / length);
    std::vector<wf::Trainer> trainers;
    trainers.reserve(ids.size());
    std::vector<Contender> contenders;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      trainers.push_back(require(wf::Trainer::make(models[i], *task, config)));
      contenders.push_back({ids[i], [&, i] { require(trainers[i].step()); }});
    }
    measure("train", length, contenders, rounds);
  }
  return 0;
}

}  // namespace trainer
