// Next-token losses of held-out texts, and of each without --mark… ids.
#include <cstdio>
#include <cstdlib>

#include "trainer/fail.h"
#include "trainer/files.h"
#include "trainer/setup.h"
#include "trainer/verbs.h"
#include "trainer/windows.h"

namespace trainer {

int score(Arguments& arguments) {
  const wf::Transformer model = model_from(arguments);
  Threads threads(arguments.integer("threads"));
  WindowReader reader{model, threads, arguments.integer("end-id"),
                      std::vector<char>(static_cast<std::size_t>(model.config().vocab_size), 0)};
  for (const std::string& mark : arguments.all("mark"))
    reader.is_mark.at(static_cast<std::size_t>(std::atoi(mark.c_str()))) = 1;
  const int length = arguments.integer("length");
  const std::vector<std::string> texts = arguments.all("text");
  arguments.finish();
  for (const std::string& text : texts) {
    const auto [name, path] = halves(text);
    const Losses whole = require(reader.sliding(read_ids(path), length));
    std::printf(
        "{\"event\":\"score\",\"text\":\"%s\",\"tokens\":%d,\"nats\":%.6f,"
        "\"tokensWithoutMarks\":%d,\"natsWithoutMarks\":%.6f}\n",
        name.c_str(), whole.tokens, whole.nats, whole.tokens_without_marks,
        whole.nats_without_marks);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace trainer
