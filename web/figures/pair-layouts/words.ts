/** The words of "which channels make a pair?". */
import type { Language } from "../../defaults.js";
import type { Bilingual } from "../../text/index.js";
import { grouped, plain } from "../../text/numbers.js";
import type { PairLayout, ReadAs, RotatedRows } from "./messages.js";

const bits = (value: number): string => value.toFixed(2);

type Losses = Readonly<Record<ReadAs, Readonly<Record<Language, number>>>>;

const en = {
  name: "Which channels make a pair",
  title: "Two layouts of one rotation, and a model knows only its own",
  neighbours: "neighbours make a pair (interleaved)",
  halves: "channel t and t + d/2 make a pair (half-split)",
  cell: (which: string, row: number, column: number, value: number) =>
    `${which}: row ${row}, column ${column}: ${plain(value)}`,
  withoutMatrix: {
    neighbours: "the same number by number: x · cos + rotate_every_two(x) · sin",
    halves: "the same number by number: x · cos + rotate_half(x) · sin",
  } as Record<PairLayout, string>,
  rows: {
    x: "x, the vector to be turned",
    cosines: "times cosines",
    exchanged: "plus x, pairs exchanged, one negated",
    sines: "times sines",
    sum: "turned",
    product: "the matrix times x: the same",
  } as Record<keyof RotatedRows, string>,
  shortRows: {
    x: "x",
    cosines: "× cos",
    exchanged: "+ x′",
    sines: "× sin",
    sum: "turned",
    product: "matrix · x",
  } as Record<keyof RotatedRows, string>,
  shortNote: "x′: x with each pair exchanged, one of the two negated",
  multiplications: (size: number) =>
    `${2 * size} multiplications number by number, ${size * size} with the matrix`,
  channel: (row: string, channel: number, value: number) =>
    `${row}, channel ${channel}: ${plain(value)}`,
  slider: "Turned by a distance of",
  scale: "what an output channel takes of an input channel; in the rows, the numbers themselves",
  readAs: {
    trained: "as trained, half-split",
    mixed: "read as interleaved",
    reordered: "interleaved, query and key rows reordered",
  } as Record<ReadAs, string>,
  bits: (value: number) => `${bits(value)} bits`,
  charts: {
    en: "held-out English, bits a character",
    zh: "held-out Chinese, bits a character",
  } as Record<Language, string>,
  waiting: "The losses come with the trained model.",
  loading: (loaded: string, total: string) => `Fetching a small model: ${loaded} of ${total} MB`,
  matrix: (size: number, filled: number) =>
    `Of the ${size * size} numbers in each matrix only ${filled} are not zero; a slow pair’s sines may be too small to show.`,
  caption: ({ trained, mixed, reordered }: Losses) =>
    `The trained model predicts English with ${bits(trained.en)} bits a character. Read in the other layout, it needs ${bits(mixed.en)}, and Chinese ${bits(mixed.zh)} instead of ${bits(trained.zh)}. With the rows of its query and key matrices put in the other order it is itself again: ${bits(reordered.en)} and ${bits(reordered.zh)}.`,
  note: (scored: number, layers: number) =>
    `Computed here, on ${grouped(scored)} tokens of held-out text, by the model with rotation, in all ${layers} layers.`,
  caveat:
    "Not shown: that no error is reported. Shapes, names and sizes are the same in both layouts; only the loss tells. Llama’s own weights are interleaved, those converted for Transformers half-split, with just this reordering.",
};

export type LayoutsWords = typeof en;

const zh: LayoutsWords = {
  name: "哪两个通道是一对",
  title: "同一种旋转，两种排法，模型只认自己那一种",
  neighbours: "相邻两个是一对（交错）",
  halves: "t 与 t + d/2 是一对（对半）",
  cell: (which, row, column, value) => `${which}：第 ${row} 行第 ${column} 列：${plain(value)}`,
  withoutMatrix: {
    neighbours: "不用矩阵，逐个来算：x · cos + rotate_every_two(x) · sin",
    halves: "不用矩阵，逐个来算：x · cos + rotate_half(x) · sin",
  },
  rows: {
    x: "x，要转的向量",
    cosines: "乘以余弦",
    exchanged: "加上 x 每对对调、其中一个变号",
    sines: "乘以正弦",
    sum: "转过之后",
    product: "矩阵乘 x：结果一样",
  },
  shortRows: {
    x: "x",
    cosines: "× cos",
    exchanged: "+ x′",
    sines: "× sin",
    sum: "转过之后",
    product: "矩阵 · x",
  },
  shortNote: "x′：x 的每一对对调，其中一个变号",
  multiplications: (size) => `逐个来算要 ${2 * size} 次乘法，用矩阵要 ${size * size} 次`,
  channel: (row, channel, value) => `${row}，通道 ${channel}：${plain(value)}`,
  slider: "转过的距离",
  scale: "矩阵里：输出通道从输入通道取多少；下面几行：数值本身",
  readAs: {
    trained: "按训练时的排法：对半",
    mixed: "改按交错来读",
    reordered: "按交错读，查询、键的行也重排",
  },
  bits: (value) => `${bits(value)} 比特`,
  charts: { en: "留出的英文，每字符比特数", zh: "留出的中文，每字符比特数" },
  waiting: "模型到了才有损失。",
  loading: (loaded, total) => `正在下载一个小模型：${loaded} / ${total} MB`,
  matrix: (size, filled) =>
    `每个矩阵 ${size * size} 个数，不是零的只有 ${filled} 个；慢的那一对，正弦可能小得显示不出来。`,
  caption: ({ trained, mixed, reordered }) =>
    `这个训练好的模型预测英文，每字符 ${bits(trained.en)} 比特；换另一种排法来读，要 ${bits(mixed.en)}，中文也从 ${bits(trained.zh)} 升到 ${bits(mixed.zh)}。把查询、键两个矩阵的行按新排法重排，它又是原来的它：${bits(reordered.en)} 和 ${bits(reordered.zh)}。`,
  note: (scored, layers) =>
    `在此现算：旋转编码的模型，全部 ${layers} 层都改，读 ${grouped(scored)} 个词元的留出文本。`,
  caveat:
    "图上看不出的：这样用错，不会报任何错。两种排法的形状、名字、大小全都一样，只有损失看得出来。Llama 自己的权重是交错的，转成 Transformers 格式的是对半的，转换时做的就是这样的重排。",
};

export const layoutsWords: Bilingual<LayoutsWords> = { en, zh };
