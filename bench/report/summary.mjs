// The figures of a run in a few lines: by topic, and by type of weights.

import { barText, figureText } from "./numbers.mjs";

const names = { node: "Node", chromium: "Chromium", firefox: "Firefox", native: "native" };
const hosts = ["node", "chromium"];

const unique = (values) => [...new Set(values)];

/** Returns one figure, or the smallest and the largest. */
function rangeText(figures) {
  if (figures.length === 0) return "";
  const ends = unique([Math.min(...figures), Math.max(...figures)].map((one) => one.toFixed(2)));
  return ends.join("–");
}

/** Returns the names of the peers that were best, without their variants. */
const peersOf = (lines) =>
  unique(lines.map(({ best = "" }) => best.replace(/^ORT\b.*/, "ONNX Runtime").split(/,| \d/)[0]));

/** Returns the figures of one work that miss its bar, and the bar. */
function missText([first, ...others]) {
  const figures = [first, ...others].map(({ where, threads, figure, unit }) => {
    const many = threads > 1 ? ` on ${threads} threads` : "";
    return `${figureText(figure, unit)} in ${names[where]}${many}`;
  });
  return `${first.work} (${barText(first.must, first.direction)}): ${figures.join(", ")}`;
}

/** Returns a table of the figures against peers by topic, and a sentence on the bars. */
export function summaryText({ lines }) {
  const compared = lines.filter(({ topic, figure }) => topic && Number.isFinite(figure));
  const rows = unique(compared.map(({ topic }) => topic)).map((topic) => {
    const ofTopic = compared.filter((one) => one.topic === topic);
    const figures = (isIn) => rangeText(ofTopic.filter(isIn).map(({ figure }) => figure));
    return [
      topic,
      ...hosts.map((host) => figures(({ where, threads }) => where === host && threads === 1)),
      figures(({ threads }) => threads > 1),
      peersOf(ofTopic).join(", "),
    ];
  });
  const counted = lines.filter(({ met }) => met !== undefined);
  const below = counted.filter(({ met }) => !met);
  const each = unique(below.map(({ work }) => work)).map((work) =>
    missText(below.filter((one) => one.work === work)),
  );
  const bars = `${counted.length - below.length} of ${counted.length} bars met.`;
  return {
    table: [
      [["work", ...hosts.map((host) => names[host]), "two threads, both", "best peer"], ...rows],
      (column) => column === 0 || column === 4,
    ],
    bars: below.length > 0 ? `${bars} Below their bars: ${each.join("; ")}.` : bars,
  };
}

/** Returns the works of the quantised rows, with a column for each type of weights. */
export function quantisedTable(lines) {
  const split = lines.map((one) => {
    const [, dtype, work] = /^(\w+)[,:] (.*)$/.exec(one.work);
    return { ...one, dtype, name: work.replace(`÷ ${dtype}`, "÷ this type") };
  });
  const types = unique(split.map(({ dtype }) => dtype));
  const cell = (name, dtype) =>
    split
      .filter((one) => one.name === name && one.dtype === dtype)
      .map((one) => figureText(one.figure, one.unit))
      .join("; ");
  return [
    ["Node; Chromium", ...types],
    ...unique(split.map(({ name }) => name)).map((name) => [
      name,
      ...types.map((dtype) => cell(name, dtype)),
    ]),
  ];
}
