// One random model as a GGUF file, read and continued by this package and by wllama: both versions,
// three types of blocks. All are run once, and the fastest two take part in the rounds.

import { fileTypes, ggufFile, letterPrompt, textOf } from "../peers/gguf-file.mjs";
import { wllamaForm, wllamaVersions } from "../peers/wllama.mjs";
import { generated, sizes } from "./quantised.mjs";

const contendersInRounds = 2;
// Tokens to write; next to a prompt, one is negligible.
const written = { decode: 9, prompt: 1 };

// A prompt of 512 tokens takes up to half a minute, and a quarter of it gives the same order.
const tokensToChoose = 128;

async function fastest(ids, count, clock) {
  const seen = [];
  const prompt = textOf(ids.slice(0, tokensToChoose));
  for (const type of fileTypes) {
    const file = ggufFile(sizes, type);
    for (const version of wllamaVersions) {
      const form = await wllamaForm(version, type, file, prompt, count);
      await form.run();
      const begin = await clock();
      await form.run();
      seen.push({ version, type, cost: (await clock()) - begin });
      await form.dispose();
    }
  }
  seen.sort((a, b) => a.cost - b.cost);
  const forms = [];
  for (const { version, type } of seen.slice(0, contendersInRounds))
    forms.push(await wllamaForm(version, type, ggufFile(sizes, type), textOf(ids), count));
  return forms;
}

/**
 * Compares ours, in the named binary if there is one, with wllama's fastest; the figure is theirs ÷
 * ours.
 */
export async function wllama({ dtype, work, tokens, variant }, { peers, host }) {
  const ids = letterPrompt(work === "prompt" ? tokens : 1);
  const count = written[work];
  const others = await fastest(ids, count, host.processorTime);
  const file = ggufFile(sizes, dtype === "int4" ? "Q4_0" : "Q8_0");
  const engine = variant ? await host.newEngine(variant) : peers.ours.engine;
  const model = await engine.model(new Blob([file]), { dtype });
  const ours = {
    name: "ours",
    isAsync: true,
    run: () => generated(model, ids, count),
    dispose: () => model.dispose(),
  };
  return { contenders: [ours, ...others] };
}
