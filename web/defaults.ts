/**
 * The page's defaults and choices on offer. Quoted scheme ids occur only here: other files take
 * them from here or from the engine, and have them at most as keys of a table of words or numbers.
 */
import type { SchemeSpec } from "whereformer";

export type Language = "en" | "zh";

export interface SchemeChoice {
  /** The engine's id; also the name of the model folder. */
  id: string;
  /** Name of the scheme, in two or three words. */
  name: Record<Language, string>;
}

/** Schemes of the trained models in comparisons, in this order. */
export const comparedSchemes: readonly SchemeChoice[] = [
  { id: "nope", name: { en: "No positions", zh: "无位置编码" } },
  { id: "rope", name: { en: "Rotary (RoPE)", zh: "旋转（RoPE）" } },
  { id: "alibi", name: { en: "Distance bias (ALiBi)", zh: "线性偏置（ALiBi）" } },
];

/** Limits on the number of trained models in a comparison. */
export const fewestCompared = 2;
export const maxCompared = 4;

/** The scheme that adds no positions. */
export const blindScheme = "nope";

/** The scheme with positions in the first figure. */
export const sightedScheme = "rope";

/** The scheme that caches a latent vector. */
export const latentScheme = "mla";
/** The scheme whose score loses a fixed amount for each step of distance. */
export const fixedBiasScheme = "alibi";

/** Returns the name of a scheme in the list above; the id of any other. */
export const schemeName = (id: string, language: Language): string =>
  comparedSchemes.find((scheme) => scheme.id === id)?.name[language] ?? id;

/** Gives a scheme id from the address or from a control the engine's type. */
export const asScheme = (id: string): SchemeSpec => id as SchemeSpec;

/**
 * Size and seed of the untrained model of "who chases whom". Untrained weights are small, so logits
 * grow with the width: this width gives visible differences, and this seed one of the clearer maps.
 */
export const chaseModel = {
  vocabSize: 256,
  hiddenSize: 1024,
  numLayers: 1,
  numHeads: 4,
  headDim: 16,
  intermediateSize: 16,
  isCausal: false,
  seed: 75,
};

/**
 * Size of the untrained models of "does the mask give order"; the question sets layers and mask.
 */
export const orderModel = {
  vocabSize: 256,
  hiddenSize: 512,
  numHeads: 4,
  headDim: 16,
  intermediateSize: 16,
};

export const orderCases = [
  { isCausal: false, numLayers: 2 },
  { isCausal: true, numLayers: 1 },
  { isCausal: true, numLayers: 2 },
] as const;

/**
 * The scheme whose pairs rotate and also decay with the distance, and the distance over which its
 * factor applies once: far below its default of 512, so that it shows in a short curve.
 */
export const fadingScheme = "xpos";
export const fadingDistance = 64;

/**
 * Vectors that are added to a word: the schemes on offer, the first of which is defined by a
 * formula; the number of positions shown, of which a table has fewer; the queries whose products
 * with the keys before them are compared, and the distances shown; the bases on offer, with that of
 * the trained model; and the initial head.
 */
export const addedView = {
  schemes: ["sinusoidal", "learned"],
  positions: 144,
  queries: [64, 96, 127],
  distances: 64,
  bases: ["100", "1000", "10000", "1000000"],
  trainedBase: "10000",
  head: 2,
} as const;

/** A scheme with a bias on logits by distance, and the first number that a reader sets. */
export interface DistanceScheme {
  id: string;
  /** "numHeads", or an option's key; undefined if there is nothing to set. */
  knob?: string;
  min: number;
  max: number;
  /** Initial value: for a trained model, that of its training. */
  initial: number;
  step: number;
  /** False if the scheme has no parameters, so that no model is needed. */
  isTrained: boolean;
  /** The bias depends on the words, so it is measured over a text. */
  readsWords?: boolean;
  /** Rows of a table to keep if the number makes it shorter. */
  keeps?: "first" | "middle";
}

const distanceScheme = (id: string, knob: string, min: number, max: number, more = {}) => ({
  id,
  knob,
  min,
  max,
  initial: max,
  step: 1,
  isTrained: true,
  ...more,
});

/** In the order of publication; those up to 2020, which come first, are in one row. */
export const distanceSchemes: readonly DistanceScheme[] = [
  distanceScheme("shaw", "maxDistance", 1, 16, { keeps: "middle", readsWords: true }),
  distanceScheme("transformer_xl", "clampLength", 1, 128, { readsWords: true }),
  distanceScheme("t5", "maxDistance", 20, 128, { step: 4 }),
  distanceScheme("deberta", "maxRelativePositions", 2, 128, { keeps: "middle", readsWords: true }),
  distanceScheme("alibi", "numHeads", 1, 16, { initial: 8, isTrained: false }),
  distanceScheme("kerple", "", 0, 0),
  distanceScheme("sandwich", "width", 8, 512, { initial: 128, step: 8, isTrained: false }),
  distanceScheme("fire", "threshold", 16, 512, { step: 8 }),
  distanceScheme("cope", "maxPositions", 2, 64, { keeps: "first", readsWords: true }),
];
export const distanceSequence = 4;

/**
 * Distances of the curves; cells on a side of the map beside them, and of the matrix as in the
 * ALiBi paper; heads of a scheme without a trained model.
 */
export const distanceView = {
  first: fixedBiasScheme,
  distances: 120,
  side: 24,
  paperSide: 5,
  numHeads: 8,
  headDim: 32,
} as const;

/**
 * Positional encodings that are offered as formulas, the first of which is shown at first; and the
 * sizes of the attention in which a formula is shown.
 */
export const formulaPresets = [
  ...(["alibi", "kerple", "t5", "window", "rope", "xpos", "sinusoidal", "nope"] as const),
  ...(["grid_distance", "grid_rotation", "grid_sines"] as const),
];
export type FormulaPreset = (typeof formulaPresets)[number];
export const formulaScheme = "formula";
export const formulaView = {
  numHeads: 4,
  headDim: 16,
  tokens: 48,
  dials: 16,
  near: 8,
  /** Cells on a side of a grid, and of the part of it whose hands are drawn. */
  side: 7,
  dialSide: 4,
} as const;

/** Methods to extend rotary models to longer texts, as results name them. */
export const stretchMethods = [
  "none",
  "linear",
  "ntk",
  "by_parts",
  "yarn",
  "llama3",
  "longrope",
] as const;
export type StretchMethod = (typeof stretchMethods)[number];

/** Returns the engine's name of a method. */
export const ropeTypeOf = (method: StretchMethod): string =>
  method === "none" ? "default" : method === "by_parts" ? "ntk_by_parts" : method;

/**
 * Heads whose pairs are stretched: those of this project's models, Llama 2 and Phi-3. The last is
 * for LongRoPE, whose divisors were searched for this head and this factor.
 */
export const stretchHeads = {
  small: { headDim: 32, length: 128, theta: 10_000 },
  llama: { headDim: 128, length: 4096, theta: 10_000 },
  phi: { headDim: 96, length: 4096, theta: 10_000 },
} as const;
export type StretchHead = keyof typeof stretchHeads;
export const maxStretch = 32;
export const longropeFactor = 32;
/** Number of dials that represent all pairs. */
export const stretchDials = 16;

/** The trained model that reads longer texts, and its initial methods. */
export const longerModel = sightedScheme;
export const longerMultiples = ["2", "4", "8", "16"] as const;
export const longerMethods: readonly StretchMethod[] = [
  ...(["none", "linear", "ntk", "yarn", "longrope"] as const),
];

/**
 * A head of the small models on a text 16 times as long as in training: the rotary model as it is,
 * without the pair of channels that comes round, stretched, and the model with a distance bias.
 * The contributions of pairs are averaged over the last rows of the beginning of the text. `pair`
 * comes round in that head; the test of the ghosts finds it again.
 */
export const ghostViews = ["plain", "bias", "without", "ntk", "yarn"] as const;
export type GhostView = (typeof ghostViews)[number];
export const ghostSizes = {
  layer: 1,
  head: 0,
  pair: 6,
  tokens: 2048,
  sampled: 1024,
  sampledRows: 128,
} as const;

/**
 * The head in which a sentence slides along, untrained, and the schemes that it is given: three at
 * the word, three at query and key, four at the score.
 */
export const slideModel = {
  vocabSize: 16,
  hiddenSize: 64,
  numLayers: 1,
  numHeads: 1,
  headDim: 16,
  intermediateSize: 16,
  initializerRange: 0.2,
  isCausal: true,
  seed: 5,
} as const;
export const slideView = {
  schemes: ["integer", "sinusoidal", "learned", "rope", "t5", "alibi"],
  farthest: 100,
} as const;

/**
 * The head whose pairs are the hands of a clock, as in the small models, its last position, and the
 * largest distance at which its score is drawn.
 */
export const clockHead = { headDim: 32, farthest: 200, farthestScore: 2048 } as const;

/**
 * Sizes for which a cache is computed: heads, groups of heads that share keys, channels of a head,
 * of the latent vector and of its rotated slice, layers, tokens in thousands (1,024). The sizes of
 * the latent vector and of the slice are DeepSeek's.
 */
export const cacheModels = {
  v2: [128, 8, 128, 512, 64, 60, 128],
  v3: [128, 8, 128, 512, 64, 61, 128],
} as const;

/** Limits of each of these numbers. */
export const cacheEnds: readonly (readonly [min: number, max: number])[] = [
  [1, 128],
  [1, 128],
  [16, 256],
  [16, 1024],
  [2, 128],
  [1, 128],
  [1, 1024],
];

/**
 * A head small enough to show every number of its matrices: its channels, and those of the latent
 * vector.
 */
export const absorbedHead = { headDim: 8, rank: 8, slice: 8, farthest: 32, seed: 7 } as const;

/**
 * The layer whose decoding is timed in its forms: that of DeepSeek-V2-Lite, with half of its heads.
 */
export const formsLayer = { numHeads: 8, headDim: 128, slice: 64, rank: 512 } as const;
export const formsTokens = ["128", "512", "2048"] as const;

/** Tasks that depend on position, as results name them, in the order of display. */
export const probeTasks = [
  "copy",
  "k_back",
  "reverse",
  "ordered_recall",
  "count",
  "sort",
  "addition",
  "agent",
] as const;
export type ProbeTask = (typeof probeTasks)[number];

/**
 * Schemes for a grid, each with a trained model of pictures; the scheme whose table can be
 * stretched; cells on a window's side, the last as in training; cells on a grid's side, and in
 * training.
 */
export const gridSchemes = ["sinusoidal_2d", "learned_2d", "rope_2d", "mrope", "swin"] as const;
export type GridScheme = (typeof gridSchemes)[number];
export const stretchedTable: GridScheme = "learned_2d";
export const gridWindows = ["4", "shifted", "8"] as const;
export type GridWindow = (typeof gridWindows)[number];
export const gridView = { trainedSide: 8, min: 4, max: 16, row: 2, column: 2, head: 1 } as const;

/** Folder of the models of pictures, within the folder of models. */
export const pictureModels = "image/";

/**
 * A cat and a mouse, in the layout of the task that these models learnt: the first cell is the
 * question, in which quarter the shape lies; the others have ground, specks (the cat, and a tail),
 * and 2 × 2 cells of one ink (the mouse).
 */
export const askedPicture = {
  asks: 2,
  ground: 0,
  speck: 1,
  ink: 9,
  rows: [
    "?.......",
    "s...s...",
    "sssss...",
    "s.s.s...",
    "sssss...",
    ".sss....",
    ".sss.##.",
    ".s.s.##t",
  ],
} as const;

/**
 * Name in results of a model with neither a scheme nor a mask, for which a text is a bag of tokens.
 */
export const bagModel = "none";

/** The scheme that is open in the gallery at first. */
export const openScheme = sightedScheme;

/**
 * The small untrained model in which the gallery shows every scheme: one layer, wide enough for
 * visible differences of logits, with heads few and narrow enough to be created anew at every
 * change of an option.
 */
export const galleryModel = {
  vocabSize: 512,
  hiddenSize: 2048,
  numLayers: 1,
  numHeads: 4,
  headDim: 16,
  intermediateSize: 16,
  isCausal: true,
  seed: 5,
};

/**
 * Positions and channels of a token vector that the gallery shows; and a far position to test
 * whether a scheme has a largest one.
 */
export const galleryView = { positions: 64, channels: 32, mapPositions: 24, farthest: 999_999 };

/** Sizes for which the gallery gives a scheme's costs: those of docs/table.en.md. */
export const costSizes = { tokens: 2048, numHeads: 12, headDim: 64, numLayers: 12 };

/**
 * The untrained layer that is timed with every scheme: attention with its projections, and little
 * else. The reader chooses tokens, channels of a head and heads.
 */
export const costLayer = {
  vocabSize: 16,
  numLayers: 1,
  intermediateSize: 8,
  isCausal: true,
  seed: 1,
};

export const costChoices = {
  tokens: [64, 128, 256, 512, 1024],
  headDim: [16, 32, 64],
  numHeads: [2, 4, 8],
} as const;

/** Initial sizes: tokens, channels, heads. */
export const costBegin: readonly number[] = [256, 32, 4];

/**
 * Rows for which space is reserved before the measurement: about as many as there are schemes for
 * text. The worker sends the exact number when it begins.
 */
export const costRows = 17;

/** Initial schemes of "train short, test long?": those in its text, in that order. */
export const lengthSchemes: readonly string[] = ["sinusoidal", "learned", sightedScheme, "alibi"];

/** What models in the tab learn: a text, or a task of the engine among random symbols. */
export const lengthTasks = ["text", "copy", "induction"] as const;
export type LengthTask = (typeof lengthTasks)[number];

/** Limits on the number of schemes to train together. */
export const fewestTrained = 2;
export const maxTrained = 5;

/** Maximum number of measured curves in one chart: as many as there are colours. */
export const maxCurves = 5;

/**
 * Training in the tab: the same model, text, order and steps for every scheme, small enough for a
 * phone. `multiples` are the lengths of the test in training lengths; a table of positions ends at
 * `tableMultiple` of them, so that it has rows that are never trained, and an end.
 */
export const lengthRecipe = {
  model: {
    hiddenSize: 48,
    numLayers: 2,
    numHeads: 4,
    intermediateSize: 96,
    initializerRange: 0.1,
  },
  length: 32,
  batchSize: 8,
  steps: 300,
  learningRate: 0.01,
  seeds: [1, 2, 3],
  multiples: [1, 2, 4, 8],
  tableMultiple: 4,
  /**
   * Characters at the end of the text that are never trained on, read in windows of every length.
   */
  testCharacters: 4096,
  /**
   * In place of those above, if a task is learnt: few symbols, so that it is learnt in these steps;
   * and the new sequences at each length of its test.
   */
  ofTask: { symbols: 8, batchSize: 16, learningRate: 0.005 },
  testSequences: 64,
  testSeed: 1000,
} as const;

/** The text for this training, in the folder of models. */
export const lengthText = "length/genesis.txt";

/** Surgery on a trained model, and the parts of the model to which it applies. */
export const operations = [
  "zero",
  "drop",
  "freeze",
  "option",
  "remap",
  "scheme",
  "move",
  "copy",
] as const;
export type SurgeryKind = (typeof operations)[number];
export const surgeryScopes = ["all", "layer", "head"] as const;
export type SurgeryScope = (typeof surgeryScopes)[number];

/**
 * Options to change after training, the first that a scheme has: a rotary base, the steepest slope.
 */
export const rotatedOptions: readonly string[] = ["ropeTheta", "biasMax"];

/** Other positions for distant keys, of a model that rotates: the scheme, and its methods. */
export const remappedScheme = "remapped_rope";
export const remapMethods = [
  "rerope",
  "leaky_rerope",
  "self_extend",
  "dual_chunk",
  "lm_infinite",
] as const;
export type RemapMethod = (typeof remapMethods)[number];
/** Sizes beside the window: tokens of a group, windows of a chunk, first tokens that stay. */
export const remapSizes = { group: 4, chunk: 4, kept: 4 };

/** Maximum distance for moving a token, in positions. */
export const farthestMove = 16;

/**
 * Held-out text that is read again after each surgery: this many windows of the training length, in
 * each language.
 */
export const heldOutWindows = 2;
export const heldOutWindow = 128;

/** Folder of the trained models, relative to the page. */
export const modelsFolder = "models/";

/** Maximum tokens that a figure reads: cells of a map with more rows are too small to read. */
export const longestText = 64;
export const longestSentence = 12;
/** Maximum characters of a sentence: three larger maps would not fit side by side. */
export const maxCharacters = 40;
