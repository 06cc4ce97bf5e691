/** A trained model that continues a text, with the row of one head for each token. */
import type { AttentionRecord } from "whereformer";
import type { Job } from "whereformer/requests";
import { type Handlers, yieldToUrgent } from "../../engine/worker/job.js";
import type { ModelStore } from "../../engine/worker/model-store.js";
import { tokenTexts } from "../../engine/worker/token-texts.js";
import { drawn, type WritingAnswer, type WritingQuestion, type WrittenRow } from "./messages.js";

const record = ["weights", "terms"] as const;

/** A record's single row, without dimensions of one. */
const rowOf = ({ weights, terms = {} }: AttentionRecord): WrittenRow => ({
  weights: weights!.data,
  terms: Object.fromEntries(Object.entries(terms).map(([name, { data }]) => [name, data])),
});

async function write(
  store: ModelStore,
  question: WritingQuestion,
  job: Job,
): Promise<WritingAnswer> {
  const { folder, scheme, text, longest, count, seed } = question;
  const quiet: Job = { signal: job.signal, progress: () => {} };
  const tokenizer = await store.tokenizer(folder, quiet);
  const model = await store.model(folder, scheme, quiet);
  const { numLayers, numHeads } = model.config;
  const layer = Math.min(question.layer, numLayers - 1);
  const head = Math.min(question.head, numHeads - 1);
  const prompt = tokenizer.encode(text).slice(0, longest);
  const written: number[] = [];
  const rows: WrittenRow[] = [];
  const region = { layers: [layer], heads: [head] };
  const options = { record, region, maxTokens: count, seed, ...drawn, signal: job.signal };
  await yieldToUrgent(job);
  if (prompt.length)
    for await (const token of model.generate(prompt, options)) {
      written.push(token.id);
      rows.push(rowOf(token));
    }
  const { folder: _f, text: _t, longest: _l, ...asked } = question;
  return {
    ...asked,
    layer,
    head,
    written,
    tokens: tokenTexts([...prompt, ...written], tokenizer.decode),
    promptTokens: prompt.length,
    rows,
    numLayers,
    numHeads,
    isEnded: written.length < count,
  };
}

export const answers = (store: ModelStore): Pick<Handlers, "writing"> => ({
  writing: (question, job) => write(store, question, job),
});
