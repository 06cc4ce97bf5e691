/** Everything figures say, in English. zh.ts has the same keys; the compiler sees to it. */
import type { lengthRecipe } from "../defaults.js";
import type { CostAnswer } from "../engine/both/messages.js";
import type { Tested } from "../figures/train-short/picture.js";
import { corpusEn } from "./corpus.js";
import { costsEn } from "./costs-en.js";
import { curvesEn } from "./curves.js";
import { costShare, counted, measured, megabytes, plain, weight } from "./numbers.js";
import { surgeryEn } from "./surgery.js";

/** Small numbers as words. */
const few = (count: number): string => ["no", "one", "two", "three", "four"][count] ?? `${count}`;

export const en = {
  htmlLang: "en",
  locale: "en",
  pageTitle: "Whereformer: how a transformer knows where a word is",
  bar: {
    label: "Page settings",
    otherLanguage: "中文",
    otherLanguageLabel: "中文：切换到简体中文",
    otherLanguageTag: "zh-Hans",
    toDark: "Dark",
    toLight: "Light",
    toDarkLabel: "Dark: switch to dark colours",
    toLightLabel: "Light: switch to light colours",
    sections: [
      ["chase", "Order"],
      ["mask", "Mask"],
      ["schemes", "Schemes"],
      ["heads", "Heads"],
      ["lengths", "Length"],
      ["cost", "Cost"],
      ["use", "Use it"],
    ] as [string, string][],
  },
  actions: {
    label: "Take this figure with you",
    link: "Link",
    linked: "Link copied",
    linkShown: "The address bar now has the link",
    code: "Code",
    hideCode: "Hide code",
    copy: "Copy",
    copied: "Copied",
    png: "PNG",
    svg: "SVG",
    csv: "CSV",
  },
  scale: {
    weight: "share of attention",
    difference: "difference of shares",
    masked: "masked: may not be looked at",
    query: "rows look (query)",
    key: "columns are looked at (key)",
  },
  cell: (row: number, from: string, to: string, value: number) =>
    `row ${row} ${from} → ${to} ${weight(value)}`,
  cellMasked: (row: number, from: string, to: string) => `row ${row} ${from} → ${to} masked`,
  cellDifference: (row: number, from: string, to: string, value: number) =>
    `row ${row} ${from} → ${to} difference ${value < 0 ? "−" : ""}${measured(Math.abs(value))}`,
  keys: "Arrow keys move from cell to cell, Home and End along the row.",
  waiting: "Computing …",
  failure: {
    title: "This figure has nothing to show",
    network: "The file did not arrive.",
    worker: "The browser did not start the worker that computes the figures.",
    unsupported: "This browser lacks WebAssembly SIMD, which the engine needs.",
    malformed_file: "The file arrived, but it is not what it should be.",
    out_of_memory: "The browser gave no more memory.",
    invalid_argument: "The engine refuses these options.",
    otherOptions: "Change an option below.",
    other: "The engine reported an error.",
    cure: "Reload the page; the rest of the article works without this figure.",
    again: "Try again",
  },
  chase: {
    name: "Attention maps of two word orders",
    sentence: "cat chases mouse",
    titleSame: "Without positions, both sentences give one map",
    titleDiffer: (scheme: string) => `${scheme}: two sentences, two maps`,
    mapA: "A",
    mapB: "B",
    mapC: "B in A’s order, minus A",
    mapALabel: (text: string) => `Attention map of sentence A, ${text}`,
    mapBLabel: (text: string) => `Attention map of sentence B, ${text}`,
    mapCLabel: "Map of B with rows and columns put back in A’s order, minus the map of A",
    readingSame: (difference: string, pooled: string) =>
      `Put B’s rows and columns back in A’s order and the two maps ${difference === "0" ? "are equal to the last bit" : `differ by at most ${difference}, no more than 32-bit numbers round`}. Average each sentence into one vector, and the two vectors agree to ${pooled}. Who chases whom is nowhere in it.`,
    titleStill: (scheme: string) => `${scheme}: for this exchange, still one map`,
    readingStill: (difference: string, pooled: string) =>
      `Put B’s rows and columns back in A’s order and the two maps differ by at most ${difference}; the averaged vectors, by ${pooled}. What this scheme tells attention, distances without left or right, is the same in both orders. Exchange two neighbours instead.`,
    readingDiffer: (difference: string, pooled: string) =>
      `Put B’s rows and columns back in A’s order and the two maps still differ, by up to ${difference}. The averaged vectors differ by ${pooled}. The layer can tell.`,
    input: "Sentence A",
    swap: "In B, exchange",
    swapFirst: "First word to exchange",
    swapSecond: "Second word to exchange",
    and: "and",
    positions: "Positions",
    unit: "Tokens are",
    units: { word: "words", character: "characters" },
    tooShort: "Type at least two words.",
    tooLong: (most: number) => `Only the first ${most} words are used.`,
    note: (seed: number, parameters: number) =>
      `One layer, four heads (the first is shown), no mask; untrained weights, seed ${seed} (any other finds the same), ${parameters.toLocaleString("en")} numbers.`,
    caveat:
      "Not shown: what training makes of this. With random weights the pattern inside a map means nothing; only what changes between the two maps does.",
  },
  order: {
    name: "What the last token can know",
    sentence: "only I know",
    title: "One masked layer sees a set; two see an order",
    cases: {
      open: (layers: number) => `No mask, ${layers} layers`,
      causal: (layers: number) =>
        layers === 1 ? "Causal mask, 1 layer" : `Causal mask, ${layers} layers`,
    },
    before: "as typed",
    after: "first two exchanged",
    moved: "last token’s output moves by",
    reading: (last: string, open: string, causalOne: string, causalTwo: string) =>
      `Exchange the first two tokens and look at what the model makes of “${last}”: without a mask its output moves by ${open}, with a mask and one layer by ${causalOne}, with a mask and two layers by ${causalTwo}. The first two are rounding; the last is order, leaked in through the mask.`,
    mapLabel: (name: string, which: string) => `Attention map, ${name}, ${which}`,
    input: "Sentence",
    newWeights: "Other random weights",
    tooShort: "Type at least three words.",
    note: (seed: number) =>
      `No positional encoding anywhere; untrained weights, seed ${seed}; first head of the last layer. The output is the vector after the final norm; its entries are about 1 in size.`,
    caveat:
      "Not shown: whether a trained model makes use of the leak. It can, but here it only could. “Moves by” is the largest change of any entry of the output vector.",
  },
  gallery: {
    name: "Every scheme",
    sentence: "the cat chases the mouse and the mouse hides",
    input: "Text",
    families: {
      none: "nothing",
      absolute: "absolute",
      relative: "relative",
      rotary: "rotary",
      latent: "latent",
      grid: "grid",
    } as Record<string, string>,
    claims: {
      shiftInvariant: "shift-invariant",
      extrapolatesByConstruction: "extrapolates by construction",
      bidirectional: "bidirectional",
      decodes: "decodes with a cache",
    } as Record<string, string>,
    holds: (holds: boolean): string => (holds ? ": yes" : ": no"),
    cost: {
      sizes: ({ tokens, numHeads, headDim, numLayers }: CostAnswer) =>
        `${tokens.toLocaleString("en")} tokens, ${numHeads} heads of ${headDim} channels, ${numLayers} layers`,
      parameters: "extra parameters",
      operations: "extra operations",
      cache: "KV cache",
      none: "none",
      numbers: (value: number) => value.toLocaleString("en"),
      once: (value: number) => `${counted(value, "en")}, once`,
      layer: (value: number, of: number) =>
        `${counted(value, "en")} a layer, ${costShare(value / of)} of attention’s own`,
      unused: "not in use",
      bytes: (value: number) => `${value.toLocaleString("en")} bytes a token and layer`,
    },
    kinds: {
      encoding: "What is added to a token’s vector",
      turn: "How far each pair of channels turns",
      bias: "What is added to a score",
      attention: "Attention maps, untrained weights",
    },
    formula: "Formula",
    encodingRead: "across: position; down: channel",
    encodingCell: (position: number, channel: number, value: number) =>
      `position ${position} channel ${channel}: ${plain(value)}`,
    dialsRead: "across: position; on the right: tokens for one full turn",
    dial: (pair: number, position: number, radians: number, tokens: string) =>
      `pair ${pair} at position ${position}: turned by ${radians.toFixed(2)} radians, one turn in ${tokens} tokens`,
    left: "score of two equal vectors (1 at distance 0)",
    headName: (head: number) => `head ${head}`,
    biasMap: (head: number) => `head ${head}, 24 positions`,
    biasCell: (row: number, column: number, value: number) =>
      `query ${row} key ${column}: ${plain(value)}`,
    biasMasked: (row: number, column: number) => `query ${row} key ${column}: masked`,
    curves: "Bias by distance, one line for each head",
    curvePoint: (distance: number, values: number[]) =>
      `${distance} tokens back: ${values.map(plain).join(", ")}`,
    channelName: (channel: number) => `channel ${channel}`,
    gridRead: {
      encoding: (side: number) => `${side} × ${side} cells, a map for each channel (16 of them)`,
      turn: (side: number) =>
        `${side} × ${side} cells: what becomes of a vector of ones, by channel`,
      bias: (side: number) =>
        `${side} × ${side} cells, seen from the framed one, a map for each head`,
    },
    gridMap: (name: string, least: string, most: string) => `${name}: from ${least} to ${most}`,
    mapTitleOfGrid: (head: number, side: number) =>
      `Head ${head} on ${side} × ${side} cells, untrained weights`,
    gridLabels: "cells are named row,column from 0",
    mapTitle: (head: number) => `Head ${head} on this text, untrained weights`,
    addedTitle: (isNothing: boolean): string =>
      isNothing ? "Before training, position adds nothing" : "What position adds to each score",
    addedCell: (row: number, from: string, to: string, value: number) =>
      `row ${row} ${from} → ${to} ${plain(value)}`,
    sumTitle: (from: string, to: string) => `The score of “${from}” for “${to}”`,
    reading: (from: string, to: string, terms: string, total: string, error: string) =>
      `From “${from}” to “${to}”: ${terms}; together ${total} (off by ${error}).`,
    head: "Head",
    slider: (key: string) => `${key}, slider`,
    defaults: "Back to the defaults",
    empty: "(none)",
    cut: (most: number) =>
      `Only the first ${most} words are read: further on the scheme is not defined. `,
    note: (seed: number, isCausal: boolean) =>
      `One layer of four heads with 16 channels each, ${isCausal ? "causal" : "without a mask"}; untrained weights, seed ${seed}. What a scheme would learn stands at its first value.`,
    caveat:
      "Not shown: what training makes of it. With random weights the words’ share of a score is chance; the shape of what position adds is the scheme’s own.",
  },
  heads: {
    name: "Trained models read one text",
    text: "And God said, Let there be light: and there was light.",
    title: (layer: number, head: number, models: number) =>
      `Layer ${layer}, head ${head}: one text, ${few(models)} ways to say where`,
    models: "Models",
    gridTitle: "All heads, layers down and heads across. Choose one",
    input: "Text",
    layer: "Layer",
    head: "Head",
    headLabel: (layer: number, head: number, distance: number) =>
      `layer ${layer} head ${head}, looks back ${distance.toFixed(1)} tokens on average`,
    gridLabel: (scheme: string) => `All heads of the model: ${scheme}`,
    mapLabel: (scheme: string) => `Attention map: ${scheme}`,
    reading: (from: string, to: string, values: string) => `From “${from}” to “${to}”: ${values}.`,
    looksBack: (list: string) => `On this text the chosen head looks back, on average: ${list}.`,
    tokensBack: (name: string, distance: number) => `${name} ${distance.toFixed(1)} tokens`,
    value: (name: string, value: number) => `${name} ${weight(value)}`,
    joiner: ", ",
    loading: (models: number, loaded: number, total: number) =>
      total
        ? `Fetching ${few(models)} small models: ${megabytes(loaded)} of ${megabytes(total)} MB`
        : `Fetching ${few(models)} small models: ${megabytes(loaded)} MB`,
    asleep: (models: number) => {
      const text = `${few(models)} small models come when you scroll here.`;
      return text.charAt(0).toUpperCase() + text.slice(1);
    },
    cut: (most: number) => `Only the first ${most} tokens are read.`,
    empty: "Type something.",
    note: (models: number, parameters: number, milliseconds: number) =>
      `Models of about ${(parameters / 1e6).toFixed(2)} million numbers each, trained alike but for positions. The last reading by these ${few(models)} took ${milliseconds.toFixed(0)} ms.`,
    bits: (list: string) =>
      ` On held-out text, English and Chinese, in bits per character: ${list}.`,
    bitsOf: (name: string, en: number, zh: number) =>
      `${name} ${en.toFixed(2)} and ${zh.toFixed(2)}`,
    caveat:
      "Not shown: importance. A strong cell says where a head takes from, not how much that matters. These are tiny models, trained once each; what head 2 does in one, head 2 of another need not do. The text they open with was part of their training; type one that was not.",
  },
  terms: {
    name: "Where one score comes from",
    title: (from: string, to: string) => `Why does “${from}” look at “${to}”?`,
    names: {
      content: "content",
      rotation: "rotation",
      position: "position",
      distance: "distance",
      bias: "distance bias",
      alibi: "distance bias",
      wordWord: "word · word",
      wordPosition: "word · position",
      positionWord: "position · word",
      positionPosition: "position · position",
      temperature: "temperature",
      kernel: "kernel",
      window: "window",
      cosines: "cosines",
      bucket: "bucket",
      interpolation: "interpolation",
      contextual: "counted gates",
      relativeKey: "relative key",
      relativeQuery: "relative query",
      positions: "positions",
      cosine: "cosine",
      contentToPosition: "content → position",
      positionToContent: "position → content",
      queryDistance: "query · distance",
      keyBias: "key bias",
      distanceBias: "distance bias",
    } as Record<string, string>,
    total: "score",
    pairs: (scheme: string) =>
      `${scheme}, pair by pair of channels: fast turns on the left, slow on the right`,
    pairsLimit: (limit: string) => `bars reach ±${limit}`,
    reading: (parts: string) => `${parts}. A softmax over the row turns scores into shares.`,
    sum: (name: string, terms: string, total: string, error: string) =>
      `${name}: ${terms} = ${total} (off by ${error})`,
    rowLabel: "Terms of the chosen score",
    termLabel: (scheme: string, term: string, value: string) => `${scheme}, ${term}: ${value}`,
    turn: (tokens: string) => `one turn in ${tokens} tokens`,
    pairLabel: (index: number, value: string, turn: string) =>
      `pair ${index}: ${value}${turn ? `, ${turn}` : ""}`,
    pairGrid: "Share of each channel pair of the rotary score",
    row: "From (row)",
    column: "To (column)",
    caveat:
      "Not shown: the value vectors, which decide what is carried along. For rotation, “content” is the score the same query and key would have at distance 0; position is an angle between them, so the second bar is a difference, not a thing of its own.",
    pick: "Choose a cell in the maps above, or here:",
  },
  distance: {
    name: "Attention by distance",
    title: "How far back does this head look?",
    x: "tokens back",
    y: "mean share of attention",
    chosen: "the chosen cell",
    thisText: "this text",
    heldOut: "held-out text",
    even: "even attention over it",
    unmeasured: "not measured over held-out text",
    reading: (list: string, heldOut: string) =>
      `Share of attention that stays on the token itself and the four before it, in this text${heldOut ? ` and over all of ${heldOut}` : ""}: ${list}.`,
    share: (name: string, share: string, heldOut: string) =>
      heldOut ? `${name} ${share} and ${heldOut}` : `${name} ${share}`,
    joiner: "; ",
    gridLabel: "Mean share of attention by distance",
    point: (name: string, distance: number, values: string) =>
      `${name}, ${distance} tokens back: ${values}`,
    caveat:
      "Not shown: texts of other kinds. One text is one sample: the longer the distance, the fewer of its rows reach that far, and where fewer than four do, the line ends. A short text has fewer tokens to share attention among, so its line tends to lie above the held-out text’s.",
  },
  corpus: corpusEn,
  curves: curvesEn,
  costs: costsEn,
  surgery: surgeryEn,
  lengths: {
    name: "Loss against the length of the test",
    question: (length: number) =>
      `Trained on ${length} letters at a time, tested on more: which will hold?`,
    finding: (name: string, multiple: number, value: string) =>
      `At ${multiple} times the training length, ${name} does best: ${value} bits a letter`,
    testTitle: "Tested on unseen text",
    trainTitle: "While training",
    x: "letters in a test text",
    y: "bits a letter",
    steps: "step",
    trained: "trained length",
    notDefined: (name: string) => `${name}: not defined`,
    undefined: "not defined",
    gridLabel: "Loss of each scheme at each length",
    cell: (name: string, length: number, { mean, least, most, count }: Tested) =>
      `${name}, ${length} letters: ${mean.toFixed(2)} bits a letter${count > 1 ? `, ${least.toFixed(2)} to ${most.toFixed(2)} over ${count} seeds` : ""}`,
    cellUndefined: (name: string, length: number) => `${name}, ${length} letters: not defined`,
    atRest: (name: string) =>
      `Nothing has been trained yet. Pull the four rings to where you think ${name} will end up; fewer bits are better, and a model that knows nothing needs about six. Then press Train.`,
    changes: (from: number, to: number, list: string) =>
      list ? `From ${from} letters to ${to}, the loss changes by: ${list}, in bits a letter.` : "",
    change: (name: string, by: number) => `${name} ${by < 0 ? "−" : "+"}${Math.abs(by).toFixed(2)}`,
    ends: (name: string, length: number) =>
      ` At ${length} ${name} is not defined: its table has ended.`,
    off: (
      name: string,
      { mean, most, multiple }: { mean: number; most: number; multiple: number },
    ) =>
      ` Your guess for ${name} was off by ${mean.toFixed(2)} on average, most at ${multiple} × (${most.toFixed(2)}).`,
    guess: (name: string) => `your guess: ${name}`,
    ring: (name: string, length: number) => `Your guess for ${name} at ${length} letters`,
    bits: (value: string) => `${value} bits a letter`,
    myGuess: "The rings are my guess for",
    guessFor: "Scheme to guess",
    schemes: "Schemes",
    train: "Train",
    again: "Train again",
    pause: "Pause",
    resume: "Resume",
    cancel: "Cancel",
    paused: "Paused.",
    training: "Training.",
    progressLabel: "Steps of training done",
    progress: (done: number, total: number, models: number, of: number) =>
      `${done.toLocaleString("en")} of ${total.toLocaleString("en")} steps, ${models} of ${of} models done.`,
    left: (seconds: number) =>
      seconds < 90
        ? `About ${Math.max(1, Math.round(seconds))} s left.`
        : `About ${Math.round(seconds / 60)} min left.`,
    tableLabel: "The numbers",
    tableCaption: (seeds: number) =>
      `Bits a letter on unseen text, by length of the test; mean of up to ${seeds} seeds ± half the range`,
    scheme: "Scheme",
    file: "Weights",
    keep: "Save",
    keepLabel: (name: string) => `Save the weights of ${name}`,
    load: "Go on with saved weights …",
    notOurs: (file: string) => `${file} was not saved here.`,
    otherRecipe: (file: string) => `${file} is of a model of other sizes.`,
    goesOn: (name: string, steps: number) => `${name} goes on from step ${steps}.`,
    continued: (name: string, steps: number) => `${name}, ${steps} steps`,
    refused: (name: string) => `${name} could not be trained:`,
    note: (
      {
        model,
        length,
        batchSize,
        steps,
        seeds,
        tableMultiple,
        testCharacters,
      }: typeof lengthRecipe,
      letters: number,
    ) =>
      `${model.numLayers} layers, ${model.numHeads} heads, ${model.hiddenSize} channels; ${steps} steps of ${batchSize} texts of ${length} letters from Genesis (${letters} different signs), seeds ${seeds.join(", ")}; tested on ${testCharacters.toLocaleString("en")} letters that nobody was trained on, cut into texts of each length. A table of positions has ${tableMultiple * length} rows, of which training sees the first ${length}. All is computed in this tab, and nothing leaves it.`,
    caveat:
      "Not shown: large models, long training, real lengths. The band is the range over seeds, and three seeds are few. Loss at a length is the mean over all places in the text, early ones included.",
  },
};

export type Text = typeof en;
