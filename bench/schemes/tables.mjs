// The measured part of docs/costs.md, from a run's summary.

import { markdownTable } from "../report/docs.mjs";
import { milliseconds } from "../report/numbers.mjs";

const grouped = (value) => Math.round(value).toLocaleString("en").replaceAll(",", " ");
const times = (value) => (Number.isFinite(value) ? value.toFixed(2) : "–");
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

/** Formats a ratio, followed by that of the formula in brackets. */
const besideFormula = (measured, formula) => `${times(measured)} (${times(formula)})`;

const isText = (column) => column === 0;

/** Returns the cost of each scheme, by the engine's own count. */
function formulaTable({ formulas, memory, plan }, titleOf) {
  const longest = Math.max(...plan.inference);
  const trainedAt = Math.max(...plan.training);
  const training = memory.trainingMemory?.[trainedAt] ?? {};
  const bytes = memory.inferenceMemory?.[longest] ?? {};
  return markdownTable(
    [
      [
        "scheme",
        "trained numbers",
        `extra operations, once, n ${longest}`,
        `a layer, n ${longest}`,
        "cache, bytes a token and layer",
        `training, n ${trainedAt}, MB`,
        `reading, n ${longest}, MB`,
      ],
      ...plan.schemes.map((name) => {
        const { trained, onceFlops, layerFlops, cacheBytes } = formulas[name];
        return [
          titleOf(name),
          grouped(trained),
          grouped(onceFlops),
          grouped(layerFlops),
          grouped(cacheBytes),
          megabytes(training[name]),
          megabytes(bytes[name]),
        ];
      }),
    ],
    isText,
  );
}

/**
 * Returns the times of one host: for the first scheme in milliseconds, for all others as ratios to
 * it.
 */
function timesTable({ medians, formulas, plan }, host, titleOf) {
  const { inference, training, decoding } = medians[host];
  const columns = [
    ...Object.keys(inference).map((length) => ({
      head: `reads ${length}`,
      length,
      of: inference[length],
    })),
    ...(decoding
      ? Object.entries(decoding).map(([prompt, of]) => ({ head: `writes behind ${prompt}`, of }))
      : []),
    ...Object.keys(training).map((length) => ({
      head: `trains on ${length}`,
      length,
      of: training[length],
    })),
  ];
  const [base] = plan.schemes;
  return markdownTable(
    [
      ["scheme", ...columns.map(({ head }) => head)],
      [`${titleOf(base)}, ms`, ...columns.map(({ of }) => milliseconds(of[base].ms))],
      ...plan.schemes
        .slice(1)
        .map((name) => [
          titleOf(name),
          ...columns.map(({ of, length }) =>
            length
              ? besideFormula(of[name].ratio, formulas[name].ratios[length])
              : times(of[name].ratio),
          ),
        ]),
    ],
    isText,
  );
}

const minRounds = (medians) =>
  Math.min(
    ...Object.values(medians).flatMap((lengths) =>
      Object.values(lengths).flatMap((schemes) =>
        Object.values(schemes).map(({ rounds }) => rounds),
      ),
    ),
  );

const hostTitles = {
  package: ({ node, variant }) =>
    `WebAssembly: the package (${variant}) in Node ${node}, one thread`,
  native: () => "Native: the same sources in the trainer, one thread",
};

/** Returns the text between the marks. */
export function measuredText(summary, titleOf) {
  const { command, commit, date, machine, seconds, plan, medians } = summary;
  const { model } = plan;
  const said =
    `\`${command}\`, ${date}${commit ? `, commit ${commit}` : ""}, ${seconds} s on ` +
    `${machine.cores} virtual cores of an ${machine.cpu}. ${model.num_hidden_layers} layers, ` +
    `width ${model.hidden_size}, ${model.num_attention_heads} heads of ${model.head_dim} ` +
    `channels, ${grouped(plan.vocabulary)} tokens in the vocabulary; a step of training takes ` +
    `${plan.tokensOfStep} tokens, and ${plan.decoding.tokens} tokens are written.`;
  return [
    said,
    "",
    "### What is added, and what it takes",
    "",
    ...formulaTable(summary, titleOf),
    ...Object.keys(medians).flatMap((host) => [
      "",
      `### ${hostTitles[host](machine)}`,
      "",
      "The first row is in milliseconds; the others are ratios to it, with the ratio of the " +
        `formulas in brackets. Medians of at least ${minRounds(medians[host])} rounds.`,
      "",
      ...timesTable(summary, host, titleOf),
    ]),
    "",
  ].join("\n");
}

/** Returns the text on costs of each scheme's own page. */
export function formulaText(words, names) {
  return names
    .map(
      (name) =>
        `- [${words[name].title}](schemes/${name}.en.md): ` +
        `${words[name].cost.replaceAll("\n", " ")}`,
    )
    .join("\n");
}
