// Next-token losses of the same tokens of held-out texts, read in windows of several lengths:
// --length times each --multiple. Where a table ends before the window does, the length is
// "undefined". With --longest, tokens are those of whole windows of that many times the length.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "trainer/fail.h"
#include "trainer/files.h"
#include "trainer/setup.h"
#include "trainer/verbs.h"
#include "trainer/windows.h"

namespace trainer {
namespace {

void print_buckets(const Losses& losses) {
  std::printf(",\"buckets\":[");
  for (std::size_t i = 0; i < losses.bucket_nats.size(); ++i)
    std::printf("%s{\"tokens\":%d,\"nats\":%.6f}", i ? "," : "", losses.bucket_tokens[i],
                losses.bucket_nats[i]);
  std::printf("]");
}

}  // namespace

int lengths(Arguments& arguments) {
  const wf::Transformer model = model_from(arguments);
  Threads threads(arguments.integer("threads"));
  WindowReader reader{model, threads, arguments.integer("end-id"),
                      std::vector<char>(static_cast<std::size_t>(model.config().vocab_size), 0)};
  if (arguments.has("bucket")) reader.bucket = arguments.integer("bucket");
  const int length = arguments.integer("length");
  int longest = arguments.has("longest") ? length * arguments.integer("longest") : length;
  std::vector<int> windows;
  for (const std::string& multiple : arguments.all("multiple")) {
    windows.push_back(length * std::atoi(multiple.c_str()));
    longest = std::max(longest, windows.back());
  }
  const std::vector<std::string> texts = arguments.all("text");
  arguments.finish();
  for (const std::string& text : texts) {
    const auto [name, path] = halves(text);
    const std::vector<std::int32_t> ids = read_ids(path);
    for (const int window : windows) {
      const wf::Result<Losses> cut = reader.disjoint(ids, window, longest);
      std::printf("{\"event\":\"length\",\"text\":\"%s\",\"length\":%d", name.c_str(), window);
      if (cut.ok()) {
        std::printf(",\"tokens\":%d,\"nats\":%.6f", cut.value().tokens, cut.value().nats);
        if (reader.bucket > 0) print_buckets(cut.value());
      } else if (cut.status().code() == wf::Code::kInvalidArgument) {
        std::printf(",\"undefined\":\"%s\"", cut.status().message());
      } else {
        require(cut.status());
      }
      std::printf("}\n");
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace trainer
