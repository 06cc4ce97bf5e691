/** What the engine says of its schemes. */

import type { SchemeDescription, SchemeId, SchemeOption } from "../types/index.js";
import type { Answer, Core } from "../wire/core.js";

const kinds = ["boolean", "integer", "number", "choice", "list"] as const;
const crossAttentions = ["none", "positions", "refused"] as const;
/** In the order of the bits of Hook in src/schemes/entry.h. */
const hooks = [
  "embeddings",
  "transform",
  "distanceStrip",
  "bias",
  "parameters",
  "prepare",
  "output",
  "scale",
  "constrain",
];

function readOption(answer: Answer): SchemeOption {
  const [key, configKey] = [answer.text(), answer.text()];
  const kind = kinds[answer.number()]!;
  const value = answer.number();
  const [minimum, maximum] = [answer.number(), answer.number()];
  const choices = answer.list(answer.text);
  if (kind === "boolean") return { key, configKey, kind, default: value !== 0 };
  if (kind === "choice") return { key, configKey, kind, default: choices[value]!, choices };
  return { key, configKey, kind, default: kind === "list" ? [] : value, minimum, maximum };
}

function readDescription(answer: Answer): SchemeDescription {
  const [id, family, paper, selects] = [
    answer.text() as SchemeId,
    answer.text(),
    answer.text(),
    answer.text(),
  ];
  const year = answer.number();
  const bits = answer.number();
  const crossAttention = crossAttentions[answer.number()]!;
  const positionAxes = answer.number();
  const flag = () => answer.number() !== 0;
  return {
    id,
    family,
    paper,
    year,
    hooks: hooks.filter((_, i) => bits & (1 << i)),
    crossAttention,
    positionAxes,
    claims: {
      shiftInvariant: flag(),
      extrapolatesByConstruction: flag(),
      bidirectional: flag(),
      decodes: flag(),
    },
    terms: [...answer.list(answer.text), ...answer.list(answer.text)],
    options: answer.list(() => readOption(answer)),
    selects,
  };
}

export const describeSchemes = (core: Core): SchemeDescription[] =>
  core.call("describeSchemes", 0, [], (answer) => answer.list(() => readDescription(answer)));
