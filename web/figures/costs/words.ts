/** The words of the figure that measures what schemes cost. */

import type { Bilingual } from "../../text/index.js";
import { counted, timesZh as countedTimesZh, grouped } from "../../text/numbers.js";
import { amid } from "../../text/spacing.js";
import type { MeasuredScheme, SchemeCostsAnswer } from "./messages.js";

/** The part of an answer that the note needs. */
type Noted = Pick<SchemeCostsAnswer, "sizes" | "operations" | "variant"> & {
  rows: readonly Pick<MeasuredScheme, "rounds">[];
};

const timesEn = (ratio: number): string => `${ratio.toFixed(2)}\u00a0×`;
const microsecondsEn = (value: number): string => `${grouped(Math.round(value))}\u00a0µs`;

const en = {
  name: "Time of an attention layer with each scheme",
  question: "What does a scheme cost, on this device?",
  finding: (fast: number, all: number, from: number) =>
    `${fast} of ${all} schemes take less than ${timesEn(from)} the time without positions`,
  measuring: "Measuring on this device …",
  starting: "Starting …",
  unsteady: (low: number, high: number) =>
    `This device has other things to do: the layer without positions alone takes now ${microsecondsEn(low)}, now ${microsecondsEn(high)}. Measure again when it rests; until then much of this is chance. `,
  cheapCaption: (count: number, min: number, max: number, from: number) =>
    `By formula ${count} schemes add less than ${Math.round(100 * (from - 1))}% to the work of a layer; measured, these ${count} take ${timesEn(min)} to ${timesEn(max)} the time without positions.`,
  dearCaption: (list: string) =>
    ` By formula these add more, most of them a product of queries with a vector for each distance: ${list}.`,
  dearest: (name: string, ratio: number, formula: number) =>
    ` The dearest of all is ${name}: ${timesEn(ratio)}, by formula ${timesEn(formula)}.`,
  /** Several schemes that their rounds do not distinguish: their names, or their number. */
  undecided: (list: string) =>
    ` Which is the dearest of all, these rounds do not tell: those of ${list} lie among each other.`,
  someSchemes: (count: number) => `${count} schemes`,
  /** Names as long as those of the more expensive schemes, to reserve the space of these. */
  longNames: ["Transformer-XL’s attention", "DeBERTa’s attention", "Shaw’s vectors", "CoPE"],
  cancelled: " Cancelled; what is drawn is older.",
  list: (names: readonly string[]) => new Intl.ListFormat("en").format(names),
  axis: "microseconds for one pass",
  times: timesEn,
  microseconds: microsecondsEn,
  measuredKey: "measured",
  formulaKey: "expected by formula",
  baseKey: "without positions",
  gridLabel: "Time of each scheme",
  bar: (name: string, value: number, ratio: number, formula: number) =>
    `${name}: ${microsecondsEn(value)}, ${timesEn(ratio)} without positions; by formula ${timesEn(formula)}`,
  sizes: { tokens: "Tokens n", headDim: "Channels of a head d", numHeads: "Heads" },
  progressLabel: "Schemes measured",
  progress: (done: number, total: number) => `${done} of ${total} schemes measured.`,
  cancel: "Cancel",
  again: "Measure again",
  tableLabel: "The numbers",
  tableCaption:
    "One pass through one layer; medians. Trained numbers of one layer; cache in float32.",
  columns: [
    "Scheme",
    "Measured",
    "to none",
    "by formula",
    "Trained numbers",
    "Cache bytes a token",
  ],
  note: ({ sizes, operations, rows, variant }: Noted) => {
    const rounds = Math.min(...rows.map((row) => row.rounds));
    return `One untrained causal layer, ${grouped(sizes.tokens)} tokens, ${sizes.numHeads} heads of ${sizes.headDim} channels: projections and attention, and next to nothing else. Without positions ${counted(operations, "en")} operations. Each scheme is timed in turn with the layer without positions, at least ${rounds} rounds; the ratio is the median of those inside a round, and the time is that ratio times the one without positions. Measured are the schemes of a text; those of pictures and M-RoPE have more than one axis and are left out. After the layer without positions schemes stand in the order of their formulas. The engine (its ${variant} binary) runs in a worker of its own, one thread.`;
  },
  caveat:
    "Not shown: other devices, and other code for the same formula. The formula counts multiplications and additions, not memory traffic, and calls all of them equally dear. What else runs on this device, a training above for one, is in the numbers; the ratios mind it less than the times.",
};

export type CostsWords = typeof en;

const timesZh = (ratio: number): string => `${ratio.toFixed(2)}\u00a0倍`;
const microsecondsZh = (value: number): string => `${grouped(Math.round(value))}\u00a0微秒`;

const zh: CostsWords = {
  name: "各方案下一层注意力的耗时",
  question: "在这台设备上，一种方案要花多少？",
  finding: (fast, all, from) =>
    `${all} 种方案里，有\u00a0${fast}\u00a0种的耗时与不加位置编码时相比，多出不到 ${Math.round(100 * (from - 1))}%`,
  measuring: "正在这台设备上测量……",
  starting: "正在准备……",
  unsteady: (low, high) =>
    `这台设备正忙着别的事：单是不加位置编码的一层，就时而 ${microsecondsZh(low)}，时而 ${microsecondsZh(high)}。等它空下来再测一次；在那之前，下面的数字多半是碰巧。`,
  cheapCaption: (count, min, max, from) =>
    `按公式算，有 ${count} 种方案给一层增加的运算不到 ${Math.round(100 * (from - 1))}%；这 ${count} 种实测耗时是不加位置编码时的 ${timesZh(min)}到 ${timesZh(max)}。`,
  dearCaption: (list) =>
    `按公式要多花一些的是${amid(list).trimEnd()}：它们大多给每种距离配了向量，要让查询再去乘一遍。`,
  dearest: (name, ratio, formula) =>
    `全部方案里最费时的是${amid(name).trimEnd()}：${timesZh(ratio)}，按公式是 ${timesZh(formula)}。`,
  undecided: (list) =>
    `哪种方案最费时，这几轮还分不出来：${amid(list).trimStart()}的比值互有重叠。`,
  someSchemes: (count) => `${count} 种方案`,
  longNames: ["Transformer-XL 相对注意力", "DeBERTa 解耦注意力", "Shaw 相对向量", "CoPE"],
  cancelled: "已取消，图上是之前的结果。",
  list: (names) => names.join("、"),
  axis: "跑一遍所需的微秒数",
  times: timesZh,
  microseconds: microsecondsZh,
  measuredKey: "实测",
  formulaKey: "按公式推算",
  baseKey: "无位置编码",
  gridLabel: "各方案的耗时",
  bar: (name, value, ratio, formula) =>
    `${name}：${microsecondsZh(value)}，是不加位置编码时的 ${timesZh(ratio)}；按公式是 ${timesZh(formula)}`,
  sizes: { tokens: "词元数 n", headDim: "每头维数 d", numHeads: "头数" },
  progressLabel: "已测完的方案",
  progress: (done, total) => `已测 ${done} 种，共 ${total} 种。`,
  cancel: "取消",
  again: "再测一次",
  tableLabel: "数值",
  tableCaption: "在一层里跑一遍，取中位数；参数按一层计，缓存按 float32 计。",
  columns: ["方案", "实测", "与\u00a0NoPE 之比", "按公式", "参数量", "每词元缓存（字节）"],
  note: ({ sizes, operations, rows, variant }) => {
    const rounds = Math.min(...rows.map((row) => row.rounds));
    return `一层未经训练的因果注意力，${grouped(sizes.tokens)} 个词元，${sizes.numHeads} 个头，每头 ${sizes.headDim} 维：只有投影和注意力，此外几乎什么也没有。不加位置编码时要做 ${countedTimesZh(operations)}运算。每种方案都和不加位置编码的一层轮流计时，至少 ${rounds} 轮；比值先在每一轮里算出，再取中位数，耗时就是这个比值乘以不加位置编码时的耗时。只测处理文本的方案；处理图片的和 M-RoPE 位置不止一个数，不在其内。不加位置编码的排在最前，其余按公式推算的量从小到大排列。引擎（${variant} 版）在单独的后台线程里运行，只用一个线程。`;
  },
  caveat:
    "图上看不出的：别的设备，以及同一公式的其他实现。公式只数乘法和加法，不管内存读写，也把每次运算看得一样贵。这台设备上同时在跑的别的东西（比如上面的训练）也会混进数字里；比值受的影响比耗时小。",
};

export const costsWords: Bilingual<CostsWords> = { en, zh };
