/** “开销”一图里的文字，简体中文。 */
import type { CostsText } from "./costs-en.js";
import { counted } from "./numbers.js";
import { amid } from "./spacing.js";

const times = (ratio: number): string => `${ratio.toFixed(2)}\u00a0倍`;
const microseconds = (value: number): string =>
  `${Math.round(value).toLocaleString("en")}\u00a0微秒`;

export const costsZh: CostsText = {
  name: "各方案下一层注意力的耗时",
  question: "在这台设备上，一种方案要花多少？",
  finding: (fast, all, from) => `${all} 种方案里，有 ${fast} 种的耗时不到无位置时的 ${times(from)}`,
  measuring: "正在这台设备上测量……",
  starting: "正在准备……",
  unsteady: (low, high) =>
    `这台设备正忙着别的事：单是无位置的一层，就时而 ${microseconds(low)}，时而 ${microseconds(high)}。等它空下来再测一次；在那之前，下面的数字多半是碰巧。`,
  cheapReading: (count, least, most, from) =>
    `按公式算，有 ${count} 种方案给一层增加的运算不到 ${Math.round(100 * (from - 1))} %；实测耗时是无位置时的 ${times(least)}到 ${times(most)}。`,
  dearReading: (list) =>
    `按公式要多花一些的是${amid(list).trimEnd()}：它们大多给每种距离配了向量，要让查询再去乘一遍。`,
  dearest: (name, ratio, formula) =>
    `这里最费时的是${amid(name).trimEnd()}：${times(ratio)}，按公式是 ${times(formula)}。`,
  cancelled: "已取消，图上是之前的结果。",
  joiner: "、",
  axis: "跑一遍所需的微秒数",
  times,
  microseconds,
  measuredKey: "实测",
  formulaKey: "按公式应有",
  baseKey: "无位置编码",
  gridLabel: "各方案的耗时",
  bar: (name, value, ratio, formula) =>
    `${name}：${microseconds(value)}，是无位置时的 ${times(ratio)}；按公式是 ${times(formula)}`,
  sizes: { tokens: "词元数 n", headDim: "每头通道数 d", numHeads: "头数" },
  progressLabel: "已测完的方案",
  progress: (done, total) => `已测 ${done} 种，共 ${total} 种。`,
  cancel: "取消",
  again: "再测一次",
  tableLabel: "数据",
  tableCaption: "在一层里跑一遍，取中位数；参数按一层计，缓存按 float32 计。",
  columns: ["方案", "实测", "与无位置之比", "按公式", "参数量", "每词元缓存（字节）"],
  note: ({ sizes, operations, rows, variant }) => {
    const rounds = Math.min(...rows.map((row) => row.rounds));
    return `一层未经训练的因果注意力，${sizes.tokens.toLocaleString("en")} 个词元，${sizes.numHeads} 个头，每头 ${sizes.headDim} 个通道：只有投影和注意力，此外几乎什么也没有。无位置时要做 ${counted(operations, "zh").replace(/\d$/, "$& ")}次运算。每种方案都和无位置的一层轮流计时，至少 ${rounds} 轮；比值先在每一轮里算出，再取中位数，耗时就是这个比值乘以无位置时的耗时。引擎（${variant}）在单独的工作线程里运行，只用一个线程。`;
  },
  caveat:
    "没有画出的：别的设备，以及同一公式的别种写法。公式只数乘法和加法，不管内存读写，也把每次运算看得一样贵。这台设备上同时在跑的别的东西（比如上面的训练）也会混进数字里；比值受的影响比耗时小。",
};
