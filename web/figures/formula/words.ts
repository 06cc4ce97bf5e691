/** The words of "write your own". */
import type { FormulaPreset } from "../../defaults.js";
import { expectedWords } from "../../text/expected.js";
import type { Bilingual } from "../../text/index.js";
import { percent, plain } from "../../text/numbers.js";
import { type Advice, adviceFor } from "./advice.js";

type Facts = Readonly<Record<string, string | number>>;

type Named = readonly [name: string, value: string];

const en = {
  name: "A positional encoding of your own",
  title: "What this formula adds to a score, and where attention then goes",
  preset: "Begin with",
  presets: {
    alibi: "ALiBi",
    kerple: "KERPLE",
    t5: "T5",
    window: "window and logarithm",
    rope: "RoPE",
    xpos: "xPos",
    sinusoidal: "sines",
    nope: "nothing (NoPE)",
    grid_distance: "grid: distance",
    grid_rotation: "grid: rotation",
    grid_sines: "grid: sines",
  } as Record<FormulaPreset, string>,
  chosen: "Formulas for",
  slots: {
    bias: "bias",
    frequency: "rotation by position",
    angle: "rotation, freely",
    add: "vector added to a word",
    queryScale: "factor on queries",
    keyScale: "factor on keys",
    logitScale: "scale of scores",
  },
  labels: {
    bias: "bias: what is added to a score",
    frequency: "frequency: radians that pair k of a head’s channels turns in one step",
    angle: "angle: radians that pair k turns at position i",
    add: "add: what is added to channel c of a word’s vector at position i",
    queryScale: "queryScale: factor on channel c of a query",
    keyScale: "keyScale: factor on channel c of a key",
    logitScale: "logitScale: in place of 1/√D",
    parameters: "parameters: numbers by name, a line for each",
  },
  hints: {
    bias: "i j r=j−i h layer s · H D · grid: i.x i.y j.x r.y",
    frequency: "k h layer n · H D",
    angle: "i k h layer n · H D · grid: i.x i.y",
    add: "i c layer · E H D · grid: i.x i.y",
    queryScale: "i c h layer · H D",
    keyScale: "j c h layer · H D",
    logitScale: "H D",
    parameters: "w = 1 · positive p[H] = 1 · frozen m = 8",
  },
  offer: "Names that begin so",
  head: "Head",
  slider: (name: string) => name,
  curves: (query: number) => `added to the score of a query at position ${query}, by distance`,
  map: (head: number) => `attention of head ${head}`,
  angles: (head: number) => `hands of head ${head}: a row for each pair, positions from 0`,
  vectors: "added to a word: channels down, positions across",
  gridBias: "added to the score of the cell in the middle, for each cell of a grid",
  gridMap: (head: number) => `attention of head ${head}, from the cell in the middle`,
  gridAngles: (head: number, side: number) =>
    `hands of head ${head}: a row for each pair; the cells of ${side} × ${side}, row by row (row,column)`,
  gridVectors: "added to the cells: a small map for each channel",
  gridPoint: (head: string, row: number, column: number, value: string) =>
    `${head}, row ${row}, column ${column}: ${value}`,
  gridCell: (row: number, column: number, weight: number) =>
    `row ${row}, column ${column}: weight ${plain(weight)}`,
  headName: (head: number) => `head ${head}`,
  everyHead: "every head",
  weight: "attention weight",
  added: (value: number) => (value === -Infinity ? "hidden" : plain(value)),
  point: (distance: number, values: readonly Named[]) =>
    `${distance} tokens back: ${values.map((one) => one.join(" ")).join(", ")}`,
  cell: (query: number, key: number, weight: number, score: string, terms: readonly Named[]) =>
    `query ${query}, key ${key}: weight ${plain(weight)}, score ${score} = ${terms.map((one) => one.join(" ")).join(" + ")}`,
  cellMasked: (query: number, key: number) => `query ${query}, key ${key}: masked`,
  hand: (pair: number, position: string, angle: number) =>
    `pair ${pair}, position ${position}: ${plain(angle)} radians`,
  row: (channel: number, position: number, value: number) =>
    `channel ${channel}, position ${position}: ${plain(value)}`,
  caption: (head: number, near: number, share: number, mean: number) =>
    `With all words alike, the last token of head ${head} puts ${percent(share)} of its attention on the ${near} tokens nearest to it, itself among them; on average it looks ${plain(mean)} tokens back.`,
  captionGrid: (head: number, share: number, mean: number) =>
    `With all patches alike, the cell in the middle puts ${percent(share)} of the attention of head ${head} on itself and the cells next to it; on average it looks ${plain(mean)} steps away, counted along rows and columns.`,
  captionBlind: (head: number) =>
    `With all words alike, head ${head} gives every token the same weight: so far these formulas do not tell it one position from another.`,
  noteGrid: (heads: number, channels: number, side: number) =>
    `${heads} heads (H) of ${channels} channels (D), so that a vector has ${heads * channels} (E); a grid of ${side} × ${side} cells, as of patches of a picture, each of which sees all; layer 0. i.x is the column of the query and i.y its row, both from 0; r.x = j.x − i.x. Every query and key is a vector of ones, to which “add” adds its own: what you see is position alone. Parameters have the values that they begin with.`,
  lastPicture: "The picture is of the last formulas that could be read.",
  nothingYet: "Once the formula above can be read, its picture is here.",
  note: (heads: number, channels: number, tokens: number) =>
    `${heads} heads (H) of ${channels} channels (D), so that a word’s vector has ${heads * channels} (E); ${tokens} tokens, of which each sees itself and those before it; layer 0. Every query and key is a vector of ones, to which “add” adds its own: no word differs from another, and what you see is position alone. Parameters have the values that they begin with.`,
  caveat:
    "Not shown: what such an encoding is worth. In a model, words add far more to a score than here, projections come between a vector and its query, and training changes parameters. Whether a formula helps can only be measured, with several seeds, beside other schemes.",
  language: "Names and functions of the language",
  names: [
    ["i, j, r", "position of the query, of the key, and r = j − i: −3 is three tokens back"],
    [
      "i.x, i.y, j.x, r.y",
      "on a grid: column (x) and row (y) of the query, the key, their difference",
    ],
    ["n", "length of the text"],
    ["h, k, c, layer", "head, pair of channels, channel, layer; all from 0"],
    ["s", "the score so far, scale · q·k"],
    ["H, D, E", "heads, channels of a head, width of a word’s vector"],
    ["pi, inf", "a bias of -inf hides a key"],
    ["a ? b : c   || &&   == != < <= > >=   + - * / % ^   !", "operators, weakest first"],
    [
      "abs min max clip floor ceil round mod exp log log1p sqrt pow sin cos tanh sigmoid softplus",
      "functions",
    ],
    ["bucket(r, count, maxDistance)", "T5’s buckets; a fourth argument, true, for both sides"],
    ["cumsum(x)", "in a bias: the sum of x from this key to the last visible one"],
    ["let name = formula;", "before a formula: a name for a part of it"],
    ["positive p[H] = 1", "a parameter for each head, which training keeps above 0"],
    ["frozen w = 16", "a parameter that training leaves as it is"],
  ] as [string, string][],
  refused: (facts: Facts) => {
    const { character, value, allowed } = facts;
    const said = expectedWords.en.sentence(
      `Character ${character}`,
      String(value),
      String(allowed),
    );
    const advice = adviceFor(facts);
    return advice ? `${said} ${en.advice[advice]}` : said;
  },
  advice: {
    undeclared:
      "A name of your own needs a line below, under “parameters”: w = 1, or w[H] = 1 for a number in each head, which is read as w[h].",
    index: "A parameter with sizes is read with an index, such as w[h].",
    equal: "Two values are compared with ==.",
    both: "“And” is written &&, and “or” is written ||.",
    size: "The absolute value of r is written abs(r).",
    power: "A power is written r^2.",
    sign: "Minus is the - of the keyboard, times is *, and divided by is /.",
    choice: "A choice is written: condition ? value : other value.",
    itself: "There the distance r is 0, at which log1p(abs(r)) and 1/(1 + abs(r)) have a value.",
  } as Record<Advice, string>,
  refusedWhole: "The engine refuses this formula:",
};

export type FormulaWords = typeof en;

/** What the engine expects, in Chinese; others stay in English. */
const expected: readonly [RegExp, string][] = [
  [/^a function$/, "函数"],
  [/^a known name$/, "已知的名称"],
  [/^a name that has a value here$/, "在这里有值的名称"],
  [/^an operator or the end$/, "运算符，或者到此结束"],
  [/^a number, a name or "\("$/, "数、名称或“(”"],
  [/^an operator or "(.)"$/, "运算符或“$1”"],
  [/^an operator, "," or "(.)"$/, "运算符、“,”或“$1”"],
  [/^"(.)"$/, "“$1”"],
  [/^a name$/, "名称"],
  [/^a name that is not in use$/, "还没有用过的名称"],
  [/^fewer nested parts$/, "更少的嵌套"],
  [/^fewer operations$/, "更少的运算"],
  [/^(.+) arguments?, not (\d+)$/, " $1 个参数，而不是 $2 个"],
  [/^(.+) (?:index|indices), not (\d+)$/, " $1 个下标，而不是 $2 个"],
  [/^a number or -inf$/, "数或 -inf"],
  [/^a number$/, "数"],
  [/^name\[sizes\] = number or formula$/, "“名称[大小] = 数或公式”"],
];

function expectedInChinese(allowed: string): string {
  const [said = "", suggestion] = allowed.split("; did you mean ");
  const known = expected.find(([pattern]) => pattern.test(said));
  const text = known ? said.replace(known[0], known[1]) : said;
  return suggestion ? `${text}；是不是想写 ${suggestion.replace("?", "？")}` : text;
}

const zh: FormulaWords = {
  name: "自己写一种位置编码",
  title: "这个公式给得分加了什么，注意力于是落在哪里",
  preset: "从这里开始",
  presets: {
    alibi: "ALiBi",
    kerple: "KERPLE",
    t5: "T5",
    window: "窗口加对数",
    rope: "RoPE",
    xpos: "xPos",
    sinusoidal: "正弦",
    nope: "什么也不加（NoPE）",
    grid_distance: "网格：距离",
    grid_rotation: "网格：旋转",
    grid_sines: "网格：正弦",
  },
  chosen: "要写的公式",
  slots: {
    bias: "偏置",
    frequency: "随位置旋转",
    angle: "任意旋转",
    add: "加到词上的向量",
    queryScale: "查询的系数",
    keyScale: "键的系数",
    logitScale: "得分的缩放",
  },
  labels: {
    bias: "bias：给得分加上什么",
    frequency: "frequency：每走一步，第 k 对通道转过多少弧度",
    angle: "angle：在位置 i 上，第 k 对通道转过多少弧度",
    add: "add：在位置 i 上，给词向量的第 c 个通道加上什么",
    queryScale: "queryScale：查询第 c 个通道的系数",
    keyScale: "keyScale：键第 c 个通道的系数",
    logitScale: "logitScale：代替 1/√D",
    parameters: "parameters：有名称的数，每行一个",
  },
  hints: {
    ...en.hints,
    bias: "i j r=j−i h layer s · H D · 网格：i.x i.y j.x r.y",
    angle: "i k h layer n · H D · 网格：i.x i.y",
    add: "i c layer · E H D · 网格：i.x i.y",
  },
  offer: "以此开头的名称",
  head: "头",
  slider: (name) => name,
  curves: (query) => `位置 ${query} 上的查询，得分随距离加了多少`,
  map: (head) => `第 ${head} 头的注意力`,
  angles: (head) => `第 ${head} 头的指针：每行一对通道，位置从 0 起`,
  vectors: "加到词上的向量：从上到下是通道，从左到右是位置",
  gridBias: "正中一格的查询，得分在网格各处加了多少",
  gridMap: (head) => `第 ${head} 头的注意力，从正中一格看出去`,
  gridAngles: (head, side) =>
    `第 ${head} 头的指针：每行一对通道；${side} × ${side} 个格子逐行排开（行,列）`,
  gridVectors: "加到各格上的向量：每个通道一张小图",
  gridPoint: (head, row, column, value) => `${head}，第 ${row} 行第 ${column} 列：${value}`,
  gridCell: (row, column, weight) => `第 ${row} 行第 ${column} 列：权重 ${plain(weight)}`,
  headName: (head) => `第 ${head} 头`,
  everyHead: "每个头",
  weight: "注意力权重",
  added: (value) => (value === -Infinity ? "挡住" : plain(value)),
  point: (distance, values) =>
    `往回 ${distance} 个词元：${values.map((one) => one.join(" ")).join("，")}`,
  cell: (query, key, weight, score, terms) =>
    `查询 ${query}，键 ${key}：权重 ${plain(weight)}，得分 ${score} = ${terms.map((one) => one.join(" ")).join(" + ")}`,
  cellMasked: (query, key) => `查询 ${query}，键 ${key}：被掩码挡住`,
  hand: (pair, position, angle) => `第 ${pair} 对，位置 ${position}：${plain(angle)} 弧度`,
  row: (channel, position, value) => `通道 ${channel}，位置 ${position}：${plain(value)}`,
  caption: (head, near, share, mean) =>
    `所有的词都一样时，第 ${head} 头的最后一个词元把 ${percent(share)} 的注意力放在离它最近的 ${near} 个词元上（包括它自己）；平均往回看 ${plain(mean)} 个词元。`,
  captionGrid: (head, share, mean) =>
    `所有的图块都一样时，正中一格在第 ${head} 头里把 ${percent(share)} 的注意力放在自己和紧邻的格子上；平均看到 ${plain(mean)} 步以外（行和列的步数相加）。`,
  captionBlind: (head) =>
    `所有的词都一样时，第 ${head} 头给每个词元的权重都相同：到目前为止，这些公式还没有让它分清任何两个位置。`,
  noteGrid: (heads, channels, side) =>
    `共 ${heads} 个头（H），每头 ${channels} 个通道（D），所以向量有 ${heads * channels} 个（E）；${side} × ${side} 格的网格，好比图片的图块，每格都看得到全部；第 0 层。i.x 是查询的列，i.y 是它的行，都从 0 数起；r.x = j.x − i.x。每个查询和键都是全 1 的向量，“add”再加上它的那一份：看到的只有位置。参数取初始值。`,
  lastPicture: "图上画的，是上一次读得通的公式。",
  nothingYet: "上面的公式读得通了，这里就会画出来。",
  note: (heads, channels, tokens) =>
    `共 ${heads} 个头（H），每头 ${channels} 个通道（D），所以词向量有 ${heads * channels} 个（E）；${tokens} 个词元，每个只看自己和前面的；第 0 层。每个查询和键都是全 1 的向量，“add”再加上它的那一份：词与词没有区别，看到的只有位置。参数取初始值。`,
  caveat:
    "图上看不出的：这样的编码好不好用。在模型里，词给得分加的远比这里多，向量要先过投影才成为查询，参数也会被训练改变。一个公式有没有用，只能用几个随机种子、与别的方案放在一起量。",
  language: "可用的名称和函数",
  names: [
    ["i, j, r", "查询的位置、键的位置，以及 r = j − i：−3 就是往回三个词元"],
    ["i.x, i.y, j.x, r.y", "在网格上：查询和键的列（x）、行（y），以及两者之差"],
    ["n", "文本的长度"],
    ["h, k, c, layer", "头、通道对、通道、层，都从 0 数起"],
    ["s", "到此为止的得分，即缩放后的 q·k"],
    ["H, D, E", "头数、每头的通道数、词向量的宽度"],
    ["pi, inf", "偏置为 -inf，键就被挡住"],
    ["a ? b : c   || &&   == != < <= > >=   + - * / % ^   !", "运算符，从弱到强"],
    [
      "abs min max clip floor ceil round mod exp log log1p sqrt pow sin cos tanh sigmoid softplus",
      "函数",
    ],
    ["bucket(r, count, maxDistance)", "T5 的分桶；第四个参数写 true 就分两侧"],
    ["cumsum(x)", "只用于偏置：从这个键到最后一个看得见的键，x 的和"],
    ["let name = formula;", "写在公式前面，给其中一部分起名"],
    ["positive p[H] = 1", "每头一个参数，训练时保持为正"],
    ["frozen w = 16", "训练时不变的参数"],
  ],
  refused: (facts) => {
    const { character, value, allowed } = facts;
    const found = value === "end of formula" ? "公式到此结束" : String(value);
    const wanted = expectedInChinese(String(allowed));
    const advice = adviceFor(facts);
    const said = expectedWords.zh.sentence(`第 ${character} 个字符`, found, wanted);
    return advice ? `${said}${zh.advice[advice]}` : said;
  },
  advice: {
    undeclared:
      "自己起的名称，要在下面的“parameters”里写一行：w = 1；或者 w[H] = 1，每头一个数，公式里写 w[h]。",
    index: "有大小的参数要带下标，如 w[h]。",
    equal: "比较两个数是否相等，写 ==。",
    both: "“并且”写 &&，“或者”写 ||。",
    size: "绝对值写 abs(r)。",
    power: "乘方写 r^2。",
    sign: "减号是键盘上的 -，乘号是 *，除号是 /。",
    choice: "选择写作：条件 ? 值 : 另一个值。",
    itself: "那里的距离 r 为 0；log1p(abs(r)) 和 1/(1 + abs(r)) 在 0 处有值。",
  },
  refusedWhole: "引擎不接受这个公式：",
};

export const formulaWords: Bilingual<FormulaWords> = { en, zh };
