/** The words of "what is added to the word?". */
import { addedView } from "../../defaults.js";
import type { Bilingual } from "../../text/index.js";
import { few, grouped, measured, percent, plain, wavelengthText } from "../../text/numbers.js";
import type { Spread } from "./spread.js";

/** The queries' positions, as they stand in a sentence. */
const positions = addedView.queries.join(", ");

/** The value of a channel at a position, if there is a row. */
const valueAt = {
  en: (position: number, value: number | undefined) =>
    value === undefined ? "" : `, ${plain(value)} at position ${position}`,
  zh: (position: number, value: number | undefined) =>
    value === undefined ? "" : `，在位置 ${position} 是 ${plain(value)}`,
};

const en = {
  name: "What is added to the word",
  title:
    "The product of two position vectors depends on distance alone; with weights between, only roughly",
  titleOfTable: "A learned table: every row for itself, and the last one is the end",
  schemes: { sinusoidal: "Sinusoids", learned: "Learned rows" } as Record<string, string>,
  scheme: "Added",
  position: "Position",
  axis: "position",
  channel: "Channel",
  base: "Base",
  head: "Head",
  bases: (base: number) => grouped(base),
  allOptions: "All options",
  positionText: (position: number) => String(position),
  beyondScale: "stronger values have the colour of the end",
  rows: "vectors of all positions: position across, channel down",
  end: "no rows",
  wave: (channel: number, wavelength: number, position: number, value: number | undefined) =>
    `channel ${channel}: a wave of ${wavelengthText(wavelength)} tokens${valueAt.en(position, value)}`,
  waveOfTable: (channel: number, position: number, value: number | undefined) =>
    `channel ${channel}${valueAt.en(position, value)}`,
  hands: (position: number) => `position ${position} as a clock with many hands`,
  handsKey: [
    "Up at position 0, then clockwise. Slower hands are drawn shorter.",
    "The tip has two coordinates, a sine and a cosine: a pair of channels.",
  ],
  hand: (wavelength: number) => `a turn in ${wavelengthText(wavelength)} tokens`,
  still: (first: number, last: number) => `${first} to ${last}: hardly moved`,
  noHands:
    "A learned row is no clock: its numbers are what training left in them, without hands that turn from row to row.",
  before: "product of two positions’ vectors, by distance",
  oneCurve: (count: number) => `${few.en(count)} lines that coincide: the query at ${positions}`,
  after: (head: number) =>
    `the same through the query and key weights of the trained model’s head ${head}, each line about its mean (which softmax cancels)`,
  fetching: (loaded: string, total: string) =>
    `The trained model is on its way: ${loaded} of ${total} MB`,
  failed: "The trained model did not arrive.",
  query: (position: number) => `query at ${position}`,
  cell: (position: number, channel: number, value: number) =>
    `position ${position} channel ${channel}: ${plain(value)}`,
  beyond: (position: number) => `position ${position}: no row`,
  handCell: (pair: number, degrees: number, wavelength: number) =>
    `pair ${pair}: ${Math.round(degrees)}° round, ${wavelengthText(wavelength)} tokens a turn`,
  point: (distance: number, values: number[]) =>
    `${distance} tokens back: ${values.map(plain).join(", ")}`,
  caption: (gap: number) =>
    `Seen from three positions, the product of two vectors is one curve: it depends on the distance alone, to rounding (${measured(gap)}). `,
  captionOfTable: (gapShare: number) =>
    `Nothing ties the rows together: at one distance their products differ from query to query, by up to ${percent(gapShare)} of their whole range. `,
  captionBeyond: (position: number, max: number, refusal: string) =>
    `There is no row for position ${position}: the table has rows 0 to ${max - 1}. The engine refuses position ${max}: ${refusal}. `,
  projected: (head: number, { gap, share }: Spread) =>
    `With head ${head}’s weights between them the lines part: one distance scores differently from different positions, by up to ${plain(gap)}, ${percent(share)} of the range of all scores.`,
  note: "Trained: this page’s model with 128 channels and four heads, first layer, its query and key weights and those of its norm. Left out: the norm’s division, one number for each token, which depends on the word.",
  caveat:
    "Not shown: the other three parts of the score, word with word, word with position, position with word. The model can undo what the weights do here; that distance survives is not given, it has to be learned.",
};

export type AddedWords = typeof en;

const zh: AddedWords = {
  name: "词上加了什么",
  title: "位置向量的点积只看距离；先乘上查询和键的矩阵，就只是大致如此",
  titleOfTable: "学来的位置表：行行各管各的，最后一行就是尽头",
  schemes: { sinusoidal: "正弦编码", learned: "可学习的位置表" },
  scheme: "加的是",
  position: "位置",
  axis: "位置",
  channel: "维",
  base: "基数",
  head: "头",
  bases: en.bases,
  allOptions: "全部选项",
  positionText: en.positionText,
  beyondScale: "更强的值与两端同色",
  rows: "位置编码：横轴是位置，纵轴是维",
  end: "没有行",
  wave: (channel, wavelength, position, value) =>
    `第 ${channel} 维：波长 ${wavelengthText(wavelength)} 个词元${valueAt.zh(position, value)}`,
  waveOfTable: (channel, position, value) => `第 ${channel} 维${valueAt.zh(position, value)}`,
  hands: (position) => `位置 ${position}：一座有许多指针的钟`,
  handsKey: [
    "位置 0 指向正上方，顺时针转；越慢的指针画得越短",
    "指针端点的两个坐标，一个正弦、一个余弦，就是一对通道",
  ],
  hand: (wavelength) => `${wavelengthText(wavelength)}\u00a0个词元转一圈`,
  still: (first, last) => `${first} 到 ${last}：几乎没动`,
  noHands: "学来的行不是钟：每个数都是训练留下的，没有一行一行转过去的指针。",
  before: "两个位置的点积随距离的变化",
  oneCurve: (count) => `${few.zh(count)}条线重合：查询在 ${positions.replaceAll(", ", "、")}`,
  after: (head) =>
    `先乘训练好的模型第 ${head} 个头的查询、键矩阵，再求点积；已减去每条线的平均值（softmax 会抵消它）`,
  fetching: (loaded, total) => `正在下载训练好的模型：${loaded} / ${total} MB`,
  failed: "训练好的模型没有下载成功。",
  query: (position) => `查询在 ${position}`,
  cell: (position, channel, value) => `位置 ${position} 第 ${channel} 维：${plain(value)}`,
  beyond: (position) => `位置 ${position}：没有行`,
  handCell: (pair, degrees, wavelength) =>
    `第 ${pair} 对：转到 ${Math.round(degrees)}°，${wavelengthText(wavelength)} 个词元转一圈`,
  point: (distance, values) => `回看 ${distance} 个词元：${values.map(plain).join("，")}`,
  caption: (gap) =>
    `从三个位置去量，两个位置向量的点积是同一条曲线：只看距离，只差舍入误差（${measured(gap)}）。`,
  captionOfTable: (gapShare) =>
    `行与行之间没有约束：距离相同，换一个位置去量，点积就不同，最多差到整个取值范围的 ${percent(gapShare)}。`,
  captionBeyond: (position, max, refusal) =>
    `位置 ${position} 没有对应的行：表里只有第 0 到 ${max - 1} 行。引擎拒绝位置 ${max}（原文：${refusal}）。`,
  projected: (head, { gap, share }) =>
    `乘上第 ${head} 个头的矩阵之后，三条线就分开了：距离相同、位置不同，得分能差 ${plain(gap)}，占得分全部取值范围的 ${percent(share)}。`,
  note: "权重来自本页训练好的模型：128 维，四个头，取第一层的查询、键权重和归一化的权重。没有计入的是归一化时除的那个数：每个词元一个，随词而变。",
  caveat:
    "图上看不出的：得分的另外三部分，词与词、词与位置、位置与词。这里被权重打乱的，模型可以再理顺；不过距离能不能保住，并非天生如此，得靠学。",
};

export const addedWords: Bilingual<AddedWords> = { en, zh };
