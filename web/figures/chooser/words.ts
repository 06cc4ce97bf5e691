/** The words of the chooser: its questions, the conclusions, and the table of all schemes. */
import type { Bilingual } from "../../text/index.js";
import { grouped, percent } from "../../text/numbers.js";
import { amid } from "../../text/spacing.js";
import { stretchNames } from "../shared/pictures/stretch-words.js";
import type { Question, Source } from "./questions.js";

interface Range {
  low: number;
  high: number;
  /** Variation of a scheme by seed alone. */
  chance: number;
}

const times = (factor: number): string => grouped(Number(factor.toPrecision(3)));

const bits = (value: number): string => value.toFixed(2);

const en = {
  name: "Which scheme fits what you have",
  title: (fits: number, all: number) => `${fits} of ${all} schemes fit`,
  titleKeep: "Keep the scheme of the checkpoint",
  questions: {
    what: "You have",
    sees: "It",
    trained: "You train on",
    read: "and read later",
    cache: "Cache, for a token and layer",
    start: "You begin with",
  } as Record<Question, string>,
  answers: {
    what: ["a text", "a grid"],
    sees: ["writes, word by word", "reads all at once"],
    start: [
      "nothing",
      "a checkpoint that rotates (Llama, Qwen)",
      "one that adds positions to words (GPT-2, BERT)",
      "one with a bias by distance (T5, BLOOM)",
      "one with latent attention (DeepSeek)",
    ],
  } as Record<Exclude<Question, "trained" | "read" | "cache">, readonly string[]>,
  tokens: (length: number) => `${grouped(length)} tokens`,
  side: (length: number) => `${length} × ${length} cells`,
  budget: (bytes: number) => (bytes === Infinity ? "any size" : `${grouped(bytes)} bytes`),
  sources: {
    claims: ["claims, held to the engine by its tests", "#schemes"],
    cost: ["counted by the engine", "#cache"],
    length: ["measured: length curves", "#curves"],
    extension: ["measured: longer reading", "#longer"],
    image: ["measured: models of pictures", "#pictures"],
    mask: ["shown in the essay: the mask", "#mask"],
    surgery: ["try it on a trained model", "#surgery"],
    table: ["drag it over a picture", "#pictures"],
  } as Record<Source, readonly [text: string, href: string]>,
  methods: stretchNames.en,
  joiner: ", ",
  needNotStretch:
    "You read no further than you train: nothing has to stretch, and what a scheme does far out does not matter here. ",
  mustStretch: (factor: number) =>
    `You read ${times(factor)} times as far as you train, so it must stretch: what ends with its table is out. `,
  beyond: (factor: number, multiple: number) =>
    `You ask for ${times(factor)} times; nothing was measured beyond ${multiple}. `,
  fit: (fits: number, all: number) =>
    `For ${fits} of the ${all} schemes here all of this is defined; the table marks them. Defined does not mean read well: see the losses.`,
  fitKind: (fits: number) =>
    fits
      ? `Of this kind, all of this is defined for ${fits} of the schemes here; the table marks them. Defined does not mean read well: see the losses.`
      : "Of this kind, all of this is defined for no scheme here.",
  both: "Without a mask nothing tells a model without positions what stands where; so that one is out, and so are those that are defined only looking back.",
  noMatter: (all: number, { low, high, chance }: Range) =>
    `It does not matter here. At the length of the training the ${all} that were measured lie between ${bits(low)} and ${bits(high)} bits a character, and seeds alone move one of them by ${bits(chance)}. Take what your code has.`,
  same: (best: string, worst: string, close: number, all: number, range: Range) =>
    `Among the best it hardly matters which. At the length of the training ${best} is first with ${bits(range.low)} bits a character and ${worst} last with ${bits(range.high)}; but ${close} of ${all}, ${best} among them, lie within the ${bits(range.chance)} by which seeds alone move a scheme.`,
  level: (multiple: number, list: string, chance: number) =>
    list
      ? `At ${multiple} times the length of the training these are level, within the ${bits(chance)} bits by which seeds differ: ${list}.`
      : `At ${multiple} times the length of the training none of them is level.`,
  levelBut: (multiple: number, all: number, others: string, chance: number) =>
    others
      ? `At ${multiple} times the length of the training most of the ${all} that were measured are level, within the ${bits(chance)} bits by which seeds differ; not level: ${others}.`
      : `At ${multiple} times the length of the training all ${all} that were measured are level, within the ${bits(chance)} bits by which seeds differ. So far out it does not matter which.`,
  rises: (steepest: string, by: number, best: string) =>
    `${steepest} rises most, by ${bits(by)} bits a character. ${best} is best there. These are models of two layers: level is not yet that they use what lies far back.`,
  cacheFree: (name: string, min: number, max: number) =>
    `Where the cache may have any size it decides nothing: all keep ${grouped(max)} bytes for a token and layer but ${name}, which keeps ${grouped(min)} (12 heads of 64 channels, float32; the latent is this engine’s default, narrower than DeepSeek’s).`,
  cacheSame: (bytes: number) =>
    `For the cache it does not matter which: all of them keep ${grouped(bytes)} bytes for a token and layer (12 heads of 64 channels, float32).`,
  cacheBudget: (budget: number, max: number) =>
    `Of the ${grouped(max)} bytes that 12 heads of 64 channels keep for a token and layer (float32) you have ${grouped(budget)}.`,
  cacheLatent: (name: string, min: number, fits: boolean) =>
    fits
      ? ` ${name} fits as it is, with ${grouped(min)}.`
      : ` ${name} does not fit, with ${grouped(min)}.`,
  cacheShared: (groups: number) =>
    ` With every scheme that caches keys and values of heads, heads have to share them: ${groups === 1 ? "all 12 are one group" : `at most ${groups} groups of the 12`}.`,
  memory: (whole: string, tokens: number) =>
    ` In 12 layers and over ${grouped(tokens)} tokens that comes to ${whole}.`,
  cacheKept:
    "What the cache holds is settled with the checkpoint: how many heads share their keys stands in the shapes of its weights.",
  noCache: "The cache does not matter here: what is read all at once keeps none.",
  keep: "A checkpoint was trained with its scheme, and its weights mean nothing to another one. Keep it; what can be changed is how far its angles or distances reach.",
  stretch: (multiple: number, method: string | undefined, best: number, plain: number) =>
    method
      ? `Its frequencies can be stretched. Without more training our rotary model reads a text ${multiple} times as long best with ${method}: ${bits(best)} bits a token, and ${bits(plain)} as it is.`
      : `Its frequencies can be stretched, but without more training our rotary model reads a text ${multiple} times as long best as it is, with ${bits(plain)} bits a token.`,
  tableEnds:
    "If its positions are a table, that ends with the training: the engine refuses the next position. New rows have to be trained, or the text read in pieces.",
  tableDrawn:
    "If its positions are a table, that can be drawn larger like a picture, by interpolation; how well the layers above read it then was not measured here.",
  gridWrites:
    "Of those that read a grid only M-RoPE writes with a cache: it is for texts with pictures in them. The others read a picture at once.",
  pictures: (low: number, high: number, none: number) =>
    `Asked about pictures of 8 × 8 cells, models with such a scheme were right in ${low === high ? percent(low) : `${percent(low)} to ${percent(high)}`} of answers; without positions in ${percent(none)}.`,
  chart: (multiple: number) =>
    `bits a character at the length of the training (ring) and at ${multiple} times that (dot), the lowest dot first`,
  ended: "its table ends",
  gridLabel: "Loss of the schemes that are defined here",
  range: (name: string, first: string, far: string) =>
    `${name}: ${first} bits a character at the length of the training, ${far} far out`,
  unmeasured:
    "No losses by length were measured for this choice: those models wrote text from nothing.",
  tableLabel: "All schemes, sortable",
  columns: [
    "Scheme",
    "Defined here",
    "Trained numbers",
    "Extra work a layer",
    "Cache, bytes a token and layer",
    "Shift-invariant",
    "At any length",
    "Writes with a cache",
    "Bits, trained length",
    "Bits, longest test",
  ],
  yes: "yes",
  no: "no",
  unknown: "–",
  sortBy: (column: string) => `Sort by: ${column}`,
  note: (tokens: number, heads: number, headDim: number, layers: number) =>
    `Counted by the engine at ${grouped(tokens)} tokens, ${heads} heads of ${headDim} channels, ${layers} layers, default options; extra work is a share of attention’s own two products, the cache is in float32. “At any length” says what is defined, not how well it is read: no where a table or a window ends, or numbers overflow. Swin is shift-invariant within its window. Bits are those of “Train short, test long”, in the language of this page.`,
  caveat:
    "Not shown: large models, other tasks, other code. What holds for models of two layers and for three seeds is a hint. Where we measured nothing, nothing is said.",
};

export type ChooserWords = typeof en;

const zh: ChooserWords = {
  name: "按手头的条件选方案",
  title: (fits, all) => `${all} 种方案里，有 ${fits} 种算得出来`,
  titleKeep: "已有模型权重，就沿用它的方案",
  questions: {
    what: "数据是",
    sees: "模型要",
    trained: "训练时读",
    read: "以后要读",
    cache: "每层每词元的 KV 缓存",
    start: "从哪里开始",
  },
  answers: {
    what: ["文本", "网格（图片）"],
    sees: ["逐词元往下写", "一次读完全文"],
    start: [
      "从头训练",
      "用 RoPE 的模型权重（Llama、Qwen）",
      "给词向量加位置的模型权重（GPT-2、BERT）",
      "带距离偏置的模型权重（T5、BLOOM）",
      "用 MLA 的模型权重（DeepSeek）",
    ],
  },
  tokens: (length) => `${grouped(length)} 个词元`,
  side: (length) => `${length} × ${length} 格`,
  budget: (bytes) => (bytes === Infinity ? "不限" : `${grouped(bytes)} 字节`),
  sources: {
    claims: ["各方案的声明，由引擎的测试逐条验证", "#schemes"],
    cost: ["由引擎数出", "#cache"],
    length: ["实测：长度曲线", "#curves"],
    extension: ["实测：读更长的文本", "#longer"],
    image: ["实测：图片模型", "#pictures"],
    mask: ["见文章：掩码", "#mask"],
    surgery: ["拿训练好的模型试试", "#surgery"],
    table: ["在图片上拖一拖", "#pictures"],
  },
  methods: stretchNames.zh,
  joiner: "、",
  needNotStretch: "要读的不比训练时长：什么都不用外推，一种方案到远处会怎样，在这里无所谓。",
  mustStretch: (factor) =>
    `要读的是训练时的 ${times(factor)} 倍，必须外推：位置表到训练长度为止的，不行。`,
  beyond: (factor, multiple) => `要的是 ${times(factor)} 倍，我们只测到 ${multiple} 倍。`,
  fit: (fits, all) =>
    `这里的 ${all} 种里，有 ${fits} 种在这些条件下有定义，已在表中标出。有定义不等于读得好，好不好要看损失。`,
  fitKind: (fits) =>
    fits
      ? `这一类里，有 ${fits} 种在这些条件下有定义，已在表中标出。有定义不等于读得好，好不好要看损失。`
      : "这一类里，没有一种在这些条件下有定义。",
  both: "没有掩码，又不加位置编码，模型就无从知道谁在哪里，所以这一种不行；只在往回看时才有定义的，也不行。",
  noMatter: (all, { low, high, chance }) =>
    `在这里，选哪一种都无所谓。在训练长度上，测过的 ${all} 种都在每字符 ${bits(low)} 到 ${bits(high)} 比特之间，而光是换一个种子，就能差 ${bits(chance)}。代码里有哪种，就用哪种。`,
  same: (best, worst, close, all, range) =>
    `靠前的几种里选哪一种，差别不大。在训练长度上，最好的是${amid(best).trimEnd()}，每字符 ${bits(range.low)} 比特；最差的是${amid(worst).trimEnd()}，${bits(range.high)} 比特。但 ${all} 种里另有 ${close - 1} 种与最好的相差不过 ${bits(range.chance)}，光是换一个种子就能差这么多。`,
  level: (multiple, list, chance) =>
    list
      ? `到训练长度的 ${multiple} 倍，这几种仍是平的，变化不超过换种子带来的 ${bits(chance)} 比特：${list}。`
      : `到训练长度的 ${multiple} 倍，没有一种还是平的。`,
  levelBut: (multiple, all, others, chance) =>
    others
      ? `到训练长度的 ${multiple} 倍，测过的 ${all} 种大多仍是平的，变化不超过换种子带来的 ${bits(chance)} 比特；不平的是：${others}。`
      : `到训练长度的 ${multiple} 倍，测过的 ${all} 种全都是平的，变化不超过换种子带来的 ${bits(chance)} 比特：这么远，选哪一种都无所谓。`,
  rises: (steepest, by, best) =>
    `升得最多的是${amid(steepest).trimEnd()}，每字符多 ${bits(by)} 比特；那里最好的是${amid(best).trimEnd()}。这些模型只有两层；曲线平，还不等于用上了很远的内容。`,
  cacheFree: (name, min, max) =>
    `缓存大小不限，就不必按它来选：除了${amid(name)}是每层每词元 ${grouped(min)} 字节，其余的都是 ${grouped(max)} 字节（12 个头，每头 64 维，float32；潜在向量取引擎的默认宽度，比 DeepSeek 的窄）。`,
  cacheSame: (bytes) =>
    `就缓存而言，选哪一种都一样：每层每词元都是 ${grouped(bytes)} 字节（12 个头，每头 64 维，float32）。`,
  cacheBudget: (budget, max) =>
    `12 个头、每头 64 维，每层每词元要存 ${grouped(max)} 字节（float32），现在只有 ${grouped(budget)} 字节。`,
  cacheLatent: (name, min, fits) =>
    `${amid(name).trimStart()}${fits ? "照原样就放得下" : "放不下"}：${grouped(min)} 字节。`,
  cacheShared: (groups) =>
    `凡是缓存各头的键和值的，都得让几个头合用：${groups === 1 ? "12 个头全部合用一份" : `12 个头最多分成 ${groups} 组`}。`,
  memory: (whole, tokens) => `12 层、${grouped(tokens)} 个词元，合计 ${whole}。`,
  cacheKept: "缓存存多少，现成的权重已经定了：几个头合用一份键，写在权重的形状里。",
  noCache: "在这里不用考虑缓存：一次读完，就没有缓存。",
  keep: "权重是用它自己的方案训练的，换一种就对不上了。沿用即可；能改的，是它的角度或距离够得到多远。",
  stretch: (multiple, method, best, plain) =>
    method
      ? `它的频率可以拉长。不再训练，我们的 RoPE 模型读 ${multiple} 倍长的文本，最好的是${amid(method).trimEnd()}：每词元 ${bits(best)} 比特；不做改动是 ${bits(plain)}。`
      : `它的频率可以拉长；但不再训练时，我们的 RoPE 模型读 ${multiple} 倍长的文本，还是不做改动最好：每词元 ${bits(plain)} 比特。`,
  tableEnds:
    "如果它用的是位置表，表到训练长度为止，下一个位置引擎就拒绝了。要么给新位置补训几行，要么把文本切成段来读。",
  tableDrawn:
    "如果它用的是位置表，可以像放大图片那样插值放大；放大之后上面各层读得怎样，这里没有测过。",
  gridWrites:
    "网格方案里，只有 M-RoPE 能用缓存逐词元往下写：它是为图文混排的文本设计的。其余的都是一次读完整张图片。",
  pictures: (low, high, none) =>
    `拿 8 × 8 格的图片提问，用这类方案的模型答对 ${low === high ? percent(low) : `${percent(low)} 到 ${percent(high)}`}；不加位置编码的，答对 ${percent(none)}。`,
  chart: (multiple) => `每字符比特数：训练长度上（空心），${multiple} 倍长度上（实心，从低到高排）`,
  ended: "表在那之前就到头了",
  gridLabel: "有定义的方案的损失",
  range: (name, first, far) => `${name}：训练长度上每字符 ${first} 比特，远处 ${far} 比特`,
  unmeasured: "这种情形没有按长度测过损失：测过的模型都是从头训练、往下写文本的。",
  tableLabel: "全部方案，可排序",
  columns: [
    "方案",
    "有定义",
    "参数量",
    "每层额外运算",
    "每层每词元缓存（字节）",
    "平移不变",
    "再远也有定义",
    "可用缓存解码",
    "比特（训练长度）",
    "比特（最长测试）",
  ],
  yes: "是",
  no: "否",
  unknown: "–",
  sortBy: (column) => `按“${column}”排序`,
  note: (tokens, heads, headDim, layers) =>
    `由引擎数出：${grouped(tokens)} 个词元，${heads} 个头，每头 ${headDim} 维，${layers} 层，选项取默认值；额外运算是与注意力自身两次乘积之比，缓存按 float32 计。“再远也有定义”说的是有没有定义，不是读得好不好：位置表或窗口有尽头，或者数会溢出，才算“否”。Swin 的平移不变只在窗口之内。比特数取自“短训长测”，用本页的语言。`,
  caveat:
    "图上看不出的：大模型、别的任务、别的实现。两层的模型、三个种子，只能算一点提示。没有测过的，就不说。",
};

export const chooserWords: Bilingual<ChooserWords> = { en, zh };
