/** Code that reproduces the figure's numbers, as text to copy. */
import type { CheckpointBend, Part } from "../../engine/both/checkpoint-messages.js";
import { remapOf } from "../../engine/both/remap.js";

/** Returns the bend as source text, for the code that the figure shows. */
function bendText({
  positions,
  base,
  method,
  factor,
  length,
  remap,
  group,
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
      : {
          ropeTheta: base,
          ropeScaling: method === undefined ? undefined : scaling,
          remap: remap && remapOf(remap, group),
        }),
    layers,
  });
}

/** The numbers in view. */
interface Shown {
  text: string;
  dtype: string;
  chosenHead: { layer: number; head: number };
  predicts: boolean;
  isByWord: boolean;
  bend: CheckpointBend | undefined;
  /** For an encoder-decoder model: the attention in view, and the decoder's text. */
  part?: Part;
  written?: string;
}

/** For an encoder-decoder model, the call has the decoder's text beside the other. */
function callsOfTwo({ part, written, predicts, bend }: Shown): string {
  const isEncoder = part === "encoder";
  const one = bend ? "bent" : "model";
  const shown = isEncoder
    ? "model.encode(text, { record, region })"
    : `${one}.run(text, { record, region, decoderTokens })${part === "cross" ? ".cross" : ""}`;
  const labels = `const labels = model.tokenizer.encode(${JSON.stringify(written)});\n`;
  const decoderTokens = `const [start] = model.run(text).ids; // what its texts begin with
const decoderTokens = [start, ...labels];
`;
  const losses = `const ids = model.tokenizer.encode(text);
const bits = (model) => model.loss(ids, { labels }).mean / Math.LN2; // a token
console.log(bits(model)${bend ? ", bits(bent)" : ""});
`;
  const needsLabels = predicts || !isEncoder;
  return `${needsLabels ? labels : ""}${isEncoder ? "" : decoderTokens}console.log(${shown});
${predicts ? losses : ""}`;
}

function callsOfOne({ predicts, bend, isByWord }: Shown): string {
  const losses = `const ids = model.tokenizer.encode(text);
const bits = (model) => model.loss(ids).mean / Math.LN2; // a token
console.log(bits(model)${bend ? ", bits(bent)" : ""});
`;
  const call = `${bend ? "bent" : "model"}.run(text, { record, region })`;
  const shown = isByWord
    ? `const shown = ${call};\nconsole.log(shown, byGroup(shown.weights, shown.groups));`
    : `console.log(${call});`;
  return `${shown}
${predicts ? losses : ""}`;
}

export function openCode(shown: Shown): string {
  const { text, dtype, chosenHead, bend, part, isByWord } = shown;
  return `import { ${isByWord && !part ? "byGroup, load" : "load"} } from "whereformer";

const files = [...document.querySelector("input[type=file]").files]; // the model's folder, or GGUF
const wf = await load();
const tokenizer = import("@huggingface/tokenizers");
const model = await wf.model(files, { dtype: "${dtype}", tokenizer });
const text = ${JSON.stringify(text)};
${bend ? `const bent = model.bend(${bendText(bend)});\n` : ""}
const record = ["weights", "logits", "terms"];
const region = { layers: [${chosenHead.layer}], heads: [${chosenHead.head}] };
${part ? callsOfTwo(shown) : callsOfOne(shown)}`;
}
