/** The words of the figure that computes the size of a cache. */
import type { CacheKind, CacheQuestion } from "../../engine/both/cache-messages.js";
import { bytesText } from "../../text/bytes.js";
import type { Bilingual } from "../../text/index.js";
import { grouped } from "../../text/numbers.js";

/** Numbers for the sentences: those of each kind, and a whole model's bytes. */
export interface Told {
  numbers: Record<CacheKind, number>;
  totals: Record<CacheKind, number>;
  question: CacheQuestion;
  layers: number;
  tokens: number;
}

const ratio = (value: number): string => grouped(Number(value.toPrecision(3)));

const en = {
  name: "What a cache keeps for one token",
  title: (times: number) =>
    times > 1
      ? `The latent cache is ${ratio(times)} times smaller than that of all heads`
      : "At these sizes the latent cache is no smaller than that of all heads",
  kinds: {
    mha: "MHA",
    gqa: "GQA",
    mqa: "MQA",
    latent: "MLA",
  } as Record<CacheKind, string>,
  how: {
    mha: ({ numHeads, headDim }) => `2 × ${numHeads} heads × ${headDim}`,
    gqa: ({ groups, headDim }) => `2 × ${groups} groups × ${headDim}`,
    mqa: ({ headDim }) => `2 × 1 × ${headDim}`,
    latent: ({ rank, slice }) => `${rank} latent + ${slice} turned`,
  } as Record<CacheKind, (sizes: CacheQuestion) => string>,
  numbers: (value: number) => `${grouped(value)} numbers`,
  axis: "numbers a token and layer",
  cell: (name: string, value: number, total: string) =>
    `${name}: ${grouped(value)} numbers a token and layer, ${total} for the whole text`,
  caption: ({ numbers, totals, question, layers, tokens }: Told) =>
    `MLA keeps ${question.rank} + ${question.slice} = ${grouped(numbers.latent)} numbers for a token in each layer, where every head’s own keys and values are ${grouped(numbers.mha)}: as much as GQA with ${ratio(numbers.latent / (2 * question.headDim))} groups. For ${grouped(tokens)} tokens in ${layers} layers, two bytes a number, that is ${bytesText(totals.latent)}, and ${bytesText(totals.mha)} for all heads.`,
  models: "Sizes of",
  modelNames: { v2: "DeepSeek-V2", v3: "DeepSeek-V3" } as Record<string, string>,
  custom: "your own",
  sizes: [
    "Heads",
    "Groups (GQA)",
    "Channels of a head",
    "Latent channels",
    "Turned channels",
    "Layers",
    "Text",
  ],
  text: (thousands: number) => `${grouped(thousands * 1024)} tokens`,
  options: "All options",
  tableLabel: "The numbers",
  columns: ["Kind", "Numbers a token and layer", "Bytes a token, all layers", "Whole text"],
  note: "Counted by the engine’s schemes. MHA: each head has keys and values of its own. GQA: groups of heads share them. MQA: all heads share one. MLA: one latent vector for all heads, and a slice beside it that is turned. Two bytes a number (bfloat16); KB, MB and GB are powers of 1,000.",
  caveat:
    "Not shown: what it costs a model to share keys. DeepSeek’s report finds MLA better than MHA in its own models, and GQA and MQA worse; that is theirs, and we have not trained such models. The eight groups are an example: DeepSeek’s models have none.",
};

export type CacheWords = typeof en;

const zh: CacheWords = {
  name: "KV 缓存为一个词元存多少",
  title: (times) =>
    times > 1
      ? `低秩压缩之后，缓存只有各头各存一份时的 ${ratio(100 / times)}%`
      : "按这样的尺寸，低秩压缩后的缓存并不比各头各存一份更小",
  kinds: en.kinds,
  how: {
    mha: ({ numHeads, headDim }) => `2 × ${numHeads} 个头 × ${headDim}`,
    gqa: ({ groups, headDim }) => `2 × ${groups} 组 × ${headDim}`,
    mqa: en.how.mqa,
    latent: ({ rank, slice }) => `潜在向量 ${rank} + 旋转 ${slice}`,
  },
  numbers: (value) => `${grouped(value)} 个数`,
  axis: "每层每个词元存的数",
  cell: (name, value, total) => `${name}：每层每个词元 ${grouped(value)} 个数，整段文本 ${total}`,
  caption: ({ numbers, totals, question, layers, tokens }) =>
    `MLA 每层为一个词元存 ${question.rank} + ${question.slice} = ${grouped(numbers.latent)} 个数；各头自己的键和值合起来是 ${grouped(numbers.mha)} 个。前者相当于 ${ratio(numbers.latent / (2 * question.headDim))} 组的 GQA。${grouped(tokens)} 个词元、${layers} 层、每个数两字节，共 ${bytesText(totals.latent)}；各头都存，则是 ${bytesText(totals.mha)}。`,
  models: "尺寸取自",
  modelNames: en.modelNames,
  custom: "自定",
  sizes: ["头数", "组数（GQA）", "每头维数", "潜在向量维数", "旋转维数", "层数", "文本长度"],
  text: (thousands) => `${grouped(thousands * 1024)} 个词元`,
  options: "全部选项",
  tableLabel: "数值",
  columns: ["种类", "每层每词元存的数", "各层合计每词元字节", "整段文本"],
  note: "由引擎里的方案数出。MHA：每个头有自己的键和值；GQA：几个头一组，合用一份；MQA：所有头合用一份；MLA：所有头合用一个潜在向量，外加旁边一小段旋转的键。每个数两字节（bfloat16）；KB、MB、GB 按 1,000 进位。",
  caveat:
    "图上看不出的：合用键和值，模型会差多少。DeepSeek 的报告说，在他们自己的模型里，MLA 比 MHA 好，GQA 和 MQA 比 MHA 差；那是他们的结果，我们没有训练过这样的模型。这里的 8 组只是一例，DeepSeek 的模型里没有分组。",
};

export const cacheWords: Bilingual<CacheWords> = { en, zh };
