/** The words of the chooser: its questions, what follows, and the table of all schemes. */
import type { Bilingual } from "../../text/index.js";
import { grouped, percent } from "../../text/numbers.js";
import { amid } from "../../text/spacing.js";
import { stretchNames } from "../shared/pictures/stretch-words.js";
import type { Question, Source } from "./questions.js";

interface Range {
  low: number;
  high: number;
  /** How far seeds alone move a scheme. */
  chance: number;
}

const bits = (value: number): string => value.toFixed(2);

const en = {
  name: "Which scheme fits what you have",
  title: (fits: number, all: number) => `${fits} of ${all} schemes fit`,
  titleKeep: "Keep the scheme of the checkpoint",
  questions: {
    what: "You have",
    sees: "It",
    length: "Later texts are",
    cache: "The cache",
    start: "You begin",
  } as Record<Question, string>,
  answers: {
    what: ["a text", "a grid"],
    sees: ["writes, word by word", "reads all at once"],
    length: ["as long as in training", "longer"],
    cache: ["may be as it is", "must be small"],
    start: ["from nothing", "with a checkpoint"],
  } as Record<Question, readonly [string, string]>,
  sources: {
    claims: ["claims, held to the engine by its tests", "#schemes"],
    cost: ["counted by the engine", "#cache"],
    length: ["measured: length curves", "#curves"],
    extension: ["measured: longer reading", "#longer"],
    image: ["measured: models of pictures", ""],
    mask: ["shown in section 2", "#mask"],
    surgery: ["try it on a trained model", "#surgery"],
  } as Record<Source, readonly [text: string, place: string]>,
  methods: stretchNames.en,
  joiner: ", ",
  fit: (fits: number, all: number) =>
    `${fits} of the ${all} schemes here can do this by what they claim. They are marked in the table.`,
  both: "Without a mask nothing tells a model without positions what stands where; so that one is out, and so are those that are defined only looking back.",
  noMatter: (all: number, { low, high, chance }: Range) =>
    `It does not matter here. At the length of the training the ${all} that were measured lie between ${bits(low)} and ${bits(high)} bits a character, and seeds alone move one of them by ${bits(chance)}. Take what your code has.`,
  same: (best: string, worst: string, close: number, all: number, range: Range) =>
    `Among the best it hardly matters which. At the length of the training ${best} is first with ${bits(range.low)} bits a character and ${worst} last with ${bits(range.high)}; but ${close} of ${all}, ${best} among them, lie within the ${bits(range.chance)} by which seeds alone move a scheme.`,
  level: (multiple: number, list: string, chance: number) =>
    list
      ? `At ${multiple} times the length of the training these are level, within the ${bits(chance)} bits by which seeds differ: ${list}.`
      : `At ${multiple} times the length of the training none of them is level.`,
  rises: (steepest: string, by: number, best: string) =>
    `${steepest} rises most, by ${bits(by)} bits a character. ${best} is best there. These are models of two layers: level is not yet that they use what lies far back.`,
  cacheLeast: (name: string, least: number, most: number) =>
    `${name} keeps ${grouped(least)} bytes for a token and layer where the others keep ${grouped(most)} (12 heads of 64 channels, float32). No other scheme changes the cache; sharing keys between heads does, with any of them.`,
  cacheSame:
    "Of these no scheme changes the cache; sharing keys between heads does, with any of them.",
  noCache: "The cache does not matter here: what is read all at once keeps none.",
  keep: "A checkpoint was trained with its scheme, and its weights mean nothing to another one. Keep it; what can be changed is how far its angles or distances reach.",
  stretch: (method: string, best: number, plain: number) =>
    `If it rotates, its frequencies can be stretched. Without more training our rotary model reads a text 4 times as long best with ${method}: ${bits(best)} bits a token, and ${bits(plain)} as it is.`,
  pictures: (low: number, high: number, none: number) =>
    `Asked about small pictures, models whose scheme reads a grid were right in ${percent(low)} to ${percent(high)} of answers; without positions in ${percent(none)}.`,
  chart:
    "bits a character at the length of the training (ring) and at the longest test (dot), the lowest dot first",
  ended: "its table ends",
  gridLabel: "Loss of the schemes that fit",
  range: (name: string, first: string, far: string) =>
    `${name}: ${first} bits a character at the length of the training, ${far} at the longest test`,
  unmeasured:
    "No losses by length were measured for this choice: those models wrote text from nothing.",
  tableLabel: "All schemes, sortable",
  columns: [
    "Scheme",
    "Fits",
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
    `Counted by the engine at ${grouped(tokens)} tokens, ${heads} heads of ${headDim} channels, ${layers} layers, default options; extra work is a share of attention’s own two products. Bits are those of the curves in section 9, in the language of this page.`,
  caveat:
    "Not shown: large models, other tasks, other code. What holds for models of two layers and for three seeds is a hint. Where we measured nothing, nothing is said.",
};

export type ChooserWords = typeof en;

const zh: ChooserWords = {
  name: "按手头的条件选方案",
  title: (fits, all) => `${all} 种方案里，有 ${fits} 种适用`,
  titleKeep: "已有检查点，就沿用它的方案",
  questions: {
    what: "数据是",
    sees: "模型要",
    length: "以后的文本",
    cache: "KV 缓存",
    start: "从哪里开始",
  },
  answers: {
    what: ["文本", "网格（图片）"],
    sees: ["逐词元往下写", "一次读完全文"],
    length: ["和训练时一样长", "比训练时长"],
    cache: ["照常即可", "必须小"],
    start: ["从头训练", "已有检查点"],
  },
  sources: {
    claims: ["各方案的声明，由引擎的测试逐条验证", "#schemes"],
    cost: ["由引擎数出", "#cache"],
    length: ["实测：长度曲线", "#curves"],
    extension: ["实测：读更长的文本", "#longer"],
    image: ["实测：图片模型", ""],
    mask: ["见第 2 节", "#mask"],
    surgery: ["拿训练好的模型试试", "#surgery"],
  },
  methods: stretchNames.zh,
  joiner: "、",
  fit: (fits, all) => `按各方案的声明，这里的 ${all} 种里有 ${fits} 种做得到，已在表中标出。`,
  both: "没有掩码，又不加位置编码，模型就无从知道谁在哪里，所以这一种不行；只在往回看时才有定义的，也不行。",
  noMatter: (all, { low, high, chance }) =>
    `在这里，选哪一种都无所谓。在训练长度上，测过的 ${all} 种都在每字符 ${bits(low)} 到 ${bits(high)} 比特之间，而光是换一个种子，就能差 ${bits(chance)}。代码里有哪种，就用哪种。`,
  same: (best, worst, close, all, range) =>
    `靠前的几种里选哪一种，差别不大。在训练长度上，最好的是${amid(best).trimEnd()}，每字符 ${bits(range.low)} 比特；最差的是${amid(worst).trimEnd()}，${bits(range.high)} 比特。但连最好的在内，${all} 种里有 ${close} 种与它相差不到 ${bits(range.chance)}，光是换一个种子就能差这么多。`,
  level: (multiple, list, chance) =>
    list
      ? `到训练长度的 ${multiple} 倍，这几种仍是平的，变化不超过换种子带来的 ${bits(chance)} 比特：${list}。`
      : `到训练长度的 ${multiple} 倍，没有一种还是平的。`,
  rises: (steepest, by, best) =>
    `升得最多的是${amid(steepest).trimEnd()}，每字符多 ${bits(by)} 比特；那里最好的是${amid(best).trimEnd()}。这些模型只有两层；曲线平，还不等于用上了很远的内容。`,
  cacheLeast: (name, least, most) =>
    `${amid(name).trimStart()}每层为一个词元存 ${grouped(least)} 字节，其余的都是 ${grouped(most)} 字节（12 个头，每头 64 维，float32）。别的方案都不改变缓存；让几个头合用键和值可以，而且与哪种方案都能搭配。`,
  cacheSame: "这几种都不改变缓存；让几个头合用键和值可以，而且与哪种方案都能搭配。",
  noCache: "在这里不用考虑缓存：一次读完，就没有缓存。",
  keep: "检查点是用它自己的方案训练的，换一种，权重就对不上了。沿用即可；能改的，是它的角度或距离够得到多远。",
  stretch: (method, best, plain) =>
    `如果它用的是旋转，可以拉长频率。不再训练，我们的旋转模型读 4 倍长的文本，最好的是${amid(method).trimEnd()}：每词元 ${bits(best)} 比特；不做改动是 ${bits(plain)}。`,
  pictures: (low, high, none) =>
    `拿小图片提问，用网格方案的模型答对 ${percent(low)} 到 ${percent(high)}；不加位置编码的，答对 ${percent(none)}。`,
  chart: "每字符比特数：训练长度上（空心），最长的测试上（实心，从低到高排）",
  ended: "表在那之前就到头了",
  gridLabel: "适用方案的损失",
  range: (name, first, far) => `${name}：训练长度上每字符 ${first} 比特，最长的测试上 ${far} 比特`,
  unmeasured: "这种情形没有按长度测过损失：测过的模型都是从头训练、往下写文本的。",
  tableLabel: "全部方案，可排序",
  columns: [
    "方案",
    "适用",
    "参数量",
    "每层额外运算",
    "每层每词元缓存（字节）",
    "平移不变",
    "多长都有定义",
    "可用缓存解码",
    "比特（训练长度）",
    "比特（最长测试）",
  ],
  yes: "是",
  no: "否",
  unknown: "–",
  sortBy: (column) => `按“${column}”排序`,
  note: (tokens, heads, headDim, layers) =>
    `由引擎数出：${grouped(tokens)} 个词元，${heads} 个头，每头 ${headDim} 维，${layers} 层，选项取默认值；额外运算是与注意力自身两次乘积之比。比特数取自第 9 节的曲线，用本页的语言。`,
  caveat:
    "这张图没有告诉你的：大模型、别的任务、别的实现。两层的模型、三个种子，只能算一点提示。没有测过的，就不说。",
};

export const chooserWords: Bilingual<ChooserWords> = { en, zh };
