/**
 * What the page shows before anyone touches it. The only file of the page that spells scheme ids:
 * every other one takes them from here or from the engine.
 */
import type { SchemeSpec } from "whereformer";

export type Language = "en" | "zh";

export interface SchemeChoice {
  /** The engine's id; also the name of the model folder. */
  id: string;
  /** What the scheme is called where there is room for two or three words. */
  name: Record<Language, string>;
}

/** Schemes side by side wherever trained models are compared, in this order. */
export const comparedSchemes: readonly SchemeChoice[] = [
  { id: "nope", name: { en: "No positions", zh: "无位置编码" } },
  { id: "rope", name: { en: "Rotary (RoPE)", zh: "旋转（RoPE）" } },
  { id: "alibi", name: { en: "Distance bias (ALiBi)", zh: "线性偏置（ALiBi）" } },
];

/** How many trained models stand side by side. */
export const fewestCompared = 2;
export const mostCompared = 4;

/** The scheme that tells attention nothing. */
export const blindScheme = "nope";

/** Its opposite in the first figure. */
export const sightedScheme = "rope";

/** The scheme that keeps a latent vector. */
export const latentScheme = "mla";

/** The name of a scheme that stands in the list above; the id of any other. */
export const schemeName = (id: string, language: Language): string =>
  comparedSchemes.find((scheme) => scheme.id === id)?.name[language] ?? id;

/** A scheme id from the address or from a control, as the engine's types want it. */
export const asScheme = (id: string): SchemeSpec => id as SchemeSpec;

/**
 * Size and seed of the untrained model of "who chases whom". Untrained weights are small, so scores
 * grow with the width: this one is wide enough for a map with contrast, and the seed one of the
 * clearer ones.
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

/** Size of the untrained models of "does the mask give order"; layers and mask are the question. */
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
 * The scheme whose pairs turn as in rotation and fade with distance too, and the distance over
 * which its factor acts once: far below its own 512, so that it shows in a short curve.
 */
export const fadingScheme = "xpos";
export const fadingDistance = 64;

/**
 * What is added to a word: the schemes to choose from, the first of which is defined by a formula;
 * how many positions are shown, of which a table has fewer; the queries whose products with the
 * keys before them are held against one another, and how far back; bases to choose from, the own
 * one of the trained model among them; and the head that looks first.
 */
export const addedView = {
  schemes: ["sinusoidal", "learned"],
  positions: 144,
  queries: [64, 96, 127],
  distances: 64,
  bases: ["100", "1000", "10000", "1000000"],
  ownBase: "10000",
  head: 2,
} as const;

/** A scheme that adds to scores by distance, and the first number that a reader turns. */
export interface DistanceScheme {
  id: string;
  /** "numHeads", or an option's key; without one there is nothing to turn. */
  knob?: string;
  least: number;
  most: number;
  /** At first: of a trained model that which it was trained with. */
  own: number;
  step: number;
  /** False where the scheme has nothing to train, so that no model is needed. */
  isTrained: boolean;
  /** What is added depends on the words too, so that it is measured over a text. */
  readsWords?: boolean;
  /** Which rows of a table stay where the number makes it shorter. */
  keeps?: "first" | "middle";
}

const turned = (id: string, knob: string, least: number, most: number, more = {}) => ({
  ...{ id, knob, least, most, own: most, step: 1, isTrained: true },
  ...more,
});

/** In the order in which they were invented; the first of them, up to 2020, in a row. */
export const distanceSchemes: readonly DistanceScheme[] = [
  turned("shaw", "maxDistance", 1, 16, { keeps: "middle", readsWords: true }),
  turned("transformer_xl", "clampLength", 1, 128, { readsWords: true }),
  turned("t5", "maxDistance", 20, 128, { step: 4 }),
  turned("deberta", "maxRelativePositions", 2, 128, { keeps: "middle", readsWords: true }),
  turned("alibi", "numHeads", 1, 16, { own: 8, isTrained: false }),
  turned("kerple", "", 0, 0),
  turned("sandwich", "width", 8, 512, { own: 128, step: 8, isTrained: false }),
  turned("fire", "threshold", 16, 512, { step: 8 }),
  turned("cope", "maxPositions", 2, 64, { keeps: "first", readsWords: true }),
];
export const distanceSequence = 4;

/**
 * How far back biases are shown, cells of a side of the map beside them, and of the matrix that the
 * ALiBi paper draws; heads of a scheme that no model brings along.
 */
export const distanceView = {
  first: "alibi",
  distances: 120,
  side: 24,
  paperSide: 5,
  numHeads: 8,
  headDim: 32,
} as const;

/** Ways to have rotary pairs read further than they were trained, as results name them. */
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

/** What the engine calls them, where it is not the same. */
export const ropeTypeOf = (method: StretchMethod): string =>
  method === "none" ? "default" : method === "by_parts" ? "ntk_by_parts" : method;

/**
 * Heads whose pairs are stretched: this project's models, Llama 2, Phi-3. The last is LongRoPE's:
 * its divisors were searched for this head and this factor.
 */
export const stretchHeads = {
  small: { headDim: 32, length: 128, theta: 10_000 },
  llama: { headDim: 128, length: 4096, theta: 10_000 },
  phi: { headDim: 96, length: 4096, theta: 10_000 },
} as const;
export type StretchHead = keyof typeof stretchHeads;
export const mostStretch = 32;
export const longropeFactor = 32;
/** So many dials stand for all pairs. */
export const stretchDials = 16;

/** The trained model that reads further, and with which methods before anyone chooses. */
export const longerModel = sightedScheme;
export const longerMultiples = ["2", "4", "8", "16"] as const;
export const longerMethods: readonly StretchMethod[] = [
  ...(["none", "linear", "ntk", "yarn", "longrope"] as const),
];

/**
 * What a cache is counted for: heads, groups of them that share keys, channels of a head, of the
 * latent vector and of the slice that turns, layers, tokens in thousands (1,024). Both are
 * DeepSeek's own numbers.
 */
export const cacheModels = {
  v2: [128, 8, 128, 512, 64, 60, 128],
  v3: [128, 8, 128, 512, 64, 61, 128],
} as const;

/** Ends of each of these numbers. */
export const cacheEnds: readonly (readonly [least: number, most: number])[] = [
  [1, 128],
  [1, 128],
  [16, 256],
  [16, 1024],
  [2, 128],
  [1, 128],
  [1, 1024],
];

/** A head small enough to show every number of its matrices: channels, and those of the latent. */
export const absorbedHead = { headDim: 8, rank: 8, slice: 8, farthest: 32, seed: 7 } as const;

/** The layer that decodes in its forms: DeepSeek-V2-Lite's, with half of its heads. */
export const formsLayer = { numHeads: 8, headDim: 128, slice: 64, rank: 512 } as const;
export const formsTokens = ["128", "512", "2048"] as const;

/** Tasks where position decides, as results name them, in the order in which they are shown. */
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
 * Schemes of a grid, each with a trained model of pictures; the one whose table can be stretched;
 * cells of a window's side, the last as trained; cells of a side, and of what was trained.
 */
export const gridSchemes = ["sinusoidal_2d", "learned_2d", "rope_2d", "mrope", "swin"] as const;
export type GridScheme = (typeof gridSchemes)[number];
export const stretchedTable: GridScheme = "learned_2d";
export const gridWindows = ["4", "shifted", "8"] as const;
export type GridWindow = (typeof gridWindows)[number];
export const gridView = { own: 8, least: 4, most: 16, row: 2, column: 2, head: 1 } as const;

/** Where the models of pictures lie, in the folder of the models. */
export const pictureModels = "image/";

/**
 * A picture of the kind that they learnt to answer questions about, as its task lays it out: the
 * first cell asks in which quarter the shape lies; ground, specks, and 2 × 2 cells of one ink.
 */
export const askedPicture = {
  asks: 2,
  ground: 0,
  speck: 1,
  ink: 9,
  rows: [
    "?.......",
    "....s...",
    ".s......",
    "......s.",
    "........",
    "s...##..",
    "....##..",
    "..s.....",
  ],
} as const;

/** What results call a model with neither a scheme nor a mask: it sees a bag of tokens. */
export const bagModel = "none";

/** Open in the gallery before anyone chooses. */
export const openScheme = sightedScheme;

/**
 * The small untrained model in which the gallery shows every scheme: one layer, wide enough for
 * scores with contrast, with heads few and narrow enough to be made anew at every turn of an
 * option.
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
 * How much of a scheme the gallery shows: positions, and channels of a token vector; and a position
 * far enough to ask whether it has any.
 */
export const galleryView = { positions: 64, channels: 32, mapPositions: 24, farthest: 999_999 };

/** Sizes at which the gallery says what a scheme costs: those of docs/table.en.md. */
export const costSizes = { tokens: 2048, numHeads: 12, headDim: 64, numLayers: 12 };

/**
 * The untrained layer whose time is measured with every scheme: attention with its projections, and
 * next to nothing beside them. Tokens, channels of a head and heads are the reader's to choose.
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

/** Measured before anyone chooses: tokens, channels, heads. */
export const costBegin: readonly number[] = [256, 32, 4];

/**
 * Rows whose place is kept while nothing has been measured: about as many as there are schemes of a
 * text. The worker says how many, as soon as it begins.
 */
export const costRows = 17;

/**
 * Schemes that "train short, test long?" trains before anyone chooses others: those of which its
 * prose speaks, in that order.
 */
export const lengthSchemes: readonly string[] = ["sinusoidal", "learned", sightedScheme, "alibi"];

/** How many schemes a reader may train beside one another. */
export const fewestTrained = 2;
export const mostTrained = 5;

/** How many measured curves a reader may choose for one chart: as many as there are colours. */
export const mostCurves = 5;

/**
 * What is trained in the tab: the same model, text, order and steps for every scheme, small enough
 * for a phone. `multiples` are the lengths of the test in training lengths; a table of positions
 * ends at `tableMultiple` of them, so that it has rows that training never reaches, and an end.
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
   * The last of the text, in characters, is never trained on: so many, in windows of every length.
   */
  testCharacters: 4096,
} as const;

/** The text they learn, in the folder of the models. */
export const lengthText = "length/genesis.txt";

/** What can be done to a trained model, and to how much of it. */
export const operations = ["zero", "drop", "freeze", "option", "scheme", "move", "copy"] as const;
export type Operation = (typeof operations)[number];
export const surgeryPlaces = ["all", "layer", "head"] as const;
export type SurgeryPlace = (typeof surgeryPlaces)[number];

/**
 * Options worth turning after training, the first that a scheme has: a rotary base, the steepest
 * slope.
 */
export const turnedOptions: readonly string[] = ["ropeTheta", "biasMax"];

/** How far a token can be moved, in positions. */
export const farthestMove = 16;

/**
 * Held-out text that is read anew with every operation: so many windows of the training length, in
 * each language.
 */
export const heldOutWindows = 2;
export const heldOutWindow = 128;

/** Where the trained models lie, seen from the page. */
export const modelsFolder = "models/";

/** Longest text a figure reads, in tokens: a map with more rows than this has no readable cells. */
export const longestText = 64;
export const longestSentence = 12;
/** Of a sentence cut into characters: three maps of more would not stand beside each other. */
export const mostCharacters = 40;
