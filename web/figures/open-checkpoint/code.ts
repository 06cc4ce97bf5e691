/** Code that reproduces what the figure shows, as text to copy. */
import type { CheckpointBend } from "../../engine/both/checkpoint-messages.js";

/** The bend, as the package takes it. */
function bendText({
  positions,
  base,
  method,
  factor,
  length,
  first,
  last,
}: CheckpointBend): string {
  const layers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const scaling =
    method === "default"
      ? "none"
      : { ropeType: method, factor, originalMaxPositionEmbeddings: length };
  return JSON.stringify({
    ...(positions === "none"
      ? { positions }
      : { ropeTheta: base, ropeScaling: method === undefined ? undefined : scaling }),
    layers,
  });
}

export function openCode(
  text: string,
  dtype: string,
  layer: number,
  head: number,
  predicts: boolean,
  bend: CheckpointBend | undefined,
): string {
  const shown = bend ? "bent" : "model";
  return `import { load } from "whereformer";

const files = [...document.querySelector("input[type=file]").files]; // the model's folder, or GGUF
const wf = await load();
const tokenizer = import("@huggingface/tokenizers");
const model = await wf.model(files, { dtype: "${dtype}", tokenizer });
const text = ${JSON.stringify(text)};
${bend ? `const bent = model.bend(${bendText(bend)});\n` : ""}
const record = ["weights", "logits", "terms"];
const region = { layers: [${layer}], heads: [${head}] };
console.log(${shown}.run(text, { record, region }));
${
  predicts
    ? `const ids = model.tokenizer.encode(text);
console.log(model.loss(ids).mean${bend ? ", bent.loss(ids).mean" : ""}); // nats a token
`
    : ""
}`;
}
