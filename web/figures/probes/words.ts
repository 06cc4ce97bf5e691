/** The words of "who can do what": tasks, their need of positions, and the measured results. */
import type { ProbeTask } from "../../defaults.js";
import type { Spread } from "../../engine/page/length-results.js";
import type { ProbeResults } from "../../engine/page/probe-results.js";
import type { Bilingual } from "../../text/index.js";
import { percent } from "../../text/numbers.js";
import { amid } from "../../text/spacing.js";
import type { Example } from "./examples.js";
import type { Manner } from "./manner.js";

type ByTask<T> = Record<ProbeTask, T>;

/** Numbers for the caption. */
export interface Counted {
  /** Number of schemes in the table, and of those that solve the task with every seed. */
  all: number;
  solved: number;
  best: string;
  bestMean: number;
  /** Score without a scheme, with the causal mask. */
  masked: number;
  /** Score with neither. */
  bag: number;
}

const en = {
  name: "Who can do what",
  task: "Task",
  tasks: {
    copy: "copy",
    k_back: "four back",
    reverse: "reverse",
    ordered_recall: "recall by position",
    count: "count",
    sort: "sort",
    addition: "add",
    agent: "who acts?",
  } as ByTask<string>,
  titles: {
    copy: "To copy is to know one distance",
    k_back: "Four back: the answer never comes nearer",
    reverse: "Backwards, the distance changes with every step; positions pair up",
    ordered_recall: "“Which was the second?” asks for a position, and no distance tells it",
    count: "To count, the mask alone is half of the way",
    sort: "Sorting hardly needs positions",
    addition: "To add was too hard for all of them",
    agent: "“Dog bites man” and “man bites dog” are one bag of words",
  } as ByTask<string>,
  whys: {
    copy: "The answer always stands equally far back. Rotation and tables of distances need to learn that one; a bias that can only fall with distance cannot point at it by itself.",
    k_back:
      "Again one distance, four, whatever the words say. There is nothing else to go by: the symbols are random.",
    reverse:
      "First look one back, then three, then five. No distance stays, but the first position always answers the last: a scheme that knows positions can pair them up.",
    ordered_recall:
      "The position is counted from the beginning, and the question may stand anywhere. Only what says “I am the second” says it at once; by distance alone a head has to find out first how far away the beginning is.",
    count:
      "Ticks (+) since the last reset (0). A causal mask already tells what is earlier; how the scheme fades out what is before the reset makes the rest.",
    sort: "Where a symbol stood in the first half does not matter, only which symbols there were. A bag of tokens does nearly as well as most.",
    addition:
      "A digit of the sum hangs on two digits that stand at the same position in two numbers, ones first, and on a carry. In so few steps no model learned it with every seed; the differences here say little.",
    agent:
      "Active and passive sentences of a small grammar, then a noun: is it the one who acts? Yes and no are equally likely for the same bag of words, so without order a coin does as well. It is often said that classification does not need positions; this one does.",
  } as ByTask<string>,
  examples: {
    agent: {
      read: ["dog", "bites", "old", "man", "?", "man"],
      answers: { 5: "no" },
      arcs: [
        [5, 3],
        [5, 1],
      ],
    } as Example,
  },
  read: "reads",
  say: "says",
  chart: "targets that were right, a mark for each seed; the best on top",
  mean: "mean",
  bagLine: (share: string) => `a bag of tokens: ${share}`,
  bag: "no scheme, no mask",
  gridLabel: "Schemes, the best first",
  manners: {
    position: "adds a vector to the word",
    distance: "acts on scores by distance",
    nothing: "no positions",
  } as Record<Manner, string>,
  /** Symbols for the words in the picture. */
  marks: {
    absolute: "diamond: adds a vector to the word",
    rotary: "dot: rotates query and key",
    relative: "dot: adds to the score by distance",
    latent: "dot: rotation beside a latent vector",
    none: "ring: no positions",
  },
  row: (name: string, manner: string, { mean, min, max }: Spread) =>
    `${name}, ${manner}: ${percent(mean)}, seeds from ${percent(min)} to ${percent(max)}`,
  caption: ({ all, solved, best, bestMean, masked, bag }: Counted) =>
    `${solved === 0 ? "No scheme" : `${solved} of the ${all} schemes that tell positions`} ${solved > 1 ? "are" : "is"} right in at least 95% with every seed${solved ? "" : `; the best, ${best}, in ${percent(bestMean)} on average`}. Without a scheme, but with the mask: ${percent(masked)}. With neither: ${percent(bag)}.`,
  folded: "All tasks in numbers, to sort",
  tableLabel: "Mean share of right targets, by scheme and task",
  scheme: "Scheme",
  sortBy: (column: string) => `sort by ${column}`,
  missing: "Nothing was measured in this folder of models.",
  note: ({ numLayers, channels, steps }: ProbeResults) =>
    `Models of ${numLayers} layers and width ${channels}, ${steps} steps for each task, three seeds.`,
  caveat:
    "Not shown: what longer training would bring. A low score means “not learned in so few steps”, not “cannot”: MLA and RoPE turn by the same angles, and T5’s scheme has no scale of 1/√d and is held back by the common rate of learning.",
};

export type ProbeWords = typeof en;

const zh: ProbeWords = {
  name: "谁会做什么",
  task: "任务",
  tasks: {
    copy: "抄写",
    k_back: "往回数四个",
    reverse: "倒序",
    ordered_recall: "按序号回忆",
    count: "计数",
    sort: "排序",
    addition: "加法",
    agent: "谁是施事",
  },
  titles: {
    copy: "抄写只需认得一个距离",
    k_back: "往回数四个：答案永远在同样远的地方",
    reverse: "倒着说，每一步的距离都在变，位置却首尾成对",
    ordered_recall: "“第二个是什么？”问的是位置，距离答不上来",
    count: "计数：光靠掩码，就答对了一多半",
    sort: "排序几乎用不着位置",
    addition: "加法对它们来说都太难",
    agent: "“狗咬人”和“人咬狗”是同一个词袋",
  },
  whys: {
    copy: "答案总在往回同样远的地方。旋转和距离表只要学会这一个距离；只会随距离下降的偏置，单靠自己指不到那里。",
    k_back: "又是一个固定的距离：四，与写的是什么无关。符号是随机的，没有别的线索。",
    reverse:
      "先往回看一个，再看三个，再看五个。答案不在固定的距离上；可是第一个位置总对应最后一个，认得位置的，就能把它们配成对。",
    ordered_recall:
      "序号从开头数起，问题可以出现在任何地方。只有直接写着“我是第二个”的方案，一看就知道；只认距离的，先得弄清开头离这里有多远。",
    count:
      "数一数上次清零（0）以来有几个记号（+）。因果掩码已经说明谁在前面；剩下的，看方案能不能撇开清零之前的东西。",
    sort: "前半段里哪个符号站在哪里并不要紧，要紧的只是有哪些符号。词袋就能做到和大多数方案差不多。",
    addition:
      "和的每一位，取决于两个数同一位上的两个数字，还有进位（个位写在最前）。这么少的步数，没有哪个模型每个种子都学会；这里的高低说明不了什么。",
    agent:
      "用一套小文法生成的主动句和被动句，后面跟一个名词：它是施事吗？同一个词袋，“是”与“否”一样可能，所以不知道顺序，就和抛硬币没有两样。常听说分类任务不需要位置编码；这个分类就需要。",
  },
  examples: {
    agent: {
      read: ["狗", "咬", "老", "人", "？", "人"],
      answers: { 5: "否" },
      arcs: [
        [5, 3],
        [5, 1],
      ],
    },
  },
  read: "读到",
  say: "该说",
  chart: "正确率，一个种子一个点；高的在上",
  mean: "平均",
  bagLine: (share) => `词袋：${share}`,
  bag: "无方案，无掩码",
  gridLabel: "各方案，高的在前",
  manners: { position: "把位置加进词向量", distance: "按距离改得分", nothing: "无位置编码" },
  marks: {
    absolute: "菱形：给词加一个向量",
    rotary: "圆点：旋转查询和键",
    relative: "圆点：按距离给得分加一个数",
    latent: "圆点：潜在向量之外，另有一段旋转",
    none: "圆圈：无位置编码",
  },
  row: (name, manner, { mean, min, max }) =>
    `${name}，${manner}：${percent(mean)}，各种子从 ${percent(min)} 到 ${percent(max)}`,
  caption: ({ all, solved, best, bestMean, masked, bag }) =>
    `${solved === 0 ? `没有一种方案能在每个种子上都答对 95% 以上；最好的是${amid(best)}，平均 ${percent(bestMean)}` : `不算 NoPE，${all} 种方案里有 ${solved} 种在每个种子上都答对 95% 以上`}。不加位置编码、只有掩码：${percent(masked)}；连掩码也没有：${percent(bag)}。`,
  folded: "全部任务的数值，可排序",
  tableLabel: "各方案在各任务上的平均正确率",
  scheme: "方案",
  sortBy: (column) => `按${amid(column)}排序`,
  missing: "这个模型目录里没有测好的数据。",
  note: ({ numLayers, channels, steps }) =>
    `模型 ${numLayers} 层、宽 ${channels} 维，每个任务练 ${steps} 步，三个种子。`,
  caveat:
    "图上看不出的：再多练一些会怎样。分数低，意思是“这么少的步数没学会”，不是“学不会”：MLA 与 RoPE 转的是同样的角度；T5 的方案没有 1/√d 这个缩放，用同一个学习率就吃了亏。",
};

export const probeWords: Bilingual<ProbeWords> = { en, zh };
