/** The words of the figure that opens the reader's own models. */
import type { OpenedModel } from "../../engine/both/checkpoint-messages.js";
import type { Bilingual } from "../../text/index.js";
import {
  bits,
  counted,
  grouped,
  measured,
  megabytes,
  plain,
  seconds,
  weight,
} from "../../text/numbers.js";
import { panelWords } from "../shared/opened/words.js";

const change = (by: number): string => `${by < 0 ? "−" : "+"}${bits(Math.abs(by))}`;

const en = {
  name: "Your own model: every head, each score in its terms, positions bent",
  heading: (name: string) => `Every head of ${name}`,
  closedHeading: "Open a model of your own",
  sampleName: "a small model of this page’s",
  measured: "All heads by two measures, and the rotated pairs that they use",
  empty: "No model is open. Choose files, or take the small one.",
  failure: panelWords.en.failure,
  source: {
    ...panelWords.en.source,
    drop: "Drop a model here: a folder, its files, or one GGUF file.",
    families: (count: number) =>
      `What can be opened: Hugging Face folders and GGUF files of ${count} families`,
    familiesNote:
      "How far the engine is from Transformers in double precision, at most, on tiny random models of each family. What a config.json says that might change a number, and that the engine does not know, is refused by name.",
    familyColumns: ["model_type", "scores or states", "attention"],
  },
  model: ({
    family,
    parameterCount,
    weightBytes,
    numLayers,
    numHeads,
    decoder,
    milliseconds,
  }: OpenedModel) => {
    const layers = `${numLayers} layers of ${numHeads} heads`;
    const parts = decoder
      ? `an encoder of ${layers}, a decoder of ${decoder.numLayers} layers of ${decoder.numHeads}`
      : layers;
    const size = `${counted(parameterCount, "en")} numbers, ${megabytes(weightBytes)} MB`;
    const seconds = (milliseconds / 1000).toFixed(1);
    return `${family || "a model of this package’s"}: ${size}, ${parts}; opened in ${seconds} s.`;
  },
  text: "Text",
  ids: "Token ids",
  idsRemark:
    "There is no tokenizer among the files that can be read, so write token ids with spaces between them.",
  written: "What the decoder writes",
  writtenIds: "Token ids that the decoder writes",
  writtenSample: "Die Katze jagte die Maus.",
  part: "Attention",
  parts: {
    encoder: "of the encoder",
    decoder: "of the decoder",
    cross: "from decoder to encoder",
  } as Record<string, string>,
  shortened: (max: number) => `Only the first ${max} tokens are read.`,
  short: "Type a little more.",
  restOfCharacter: "“·” is a token that goes on with the bytes of the character before it.",
  sample: "The cat chased the mouse, and then the cat chased the",
  scale: "Scale",
  scales: { linear: "even", log: "logarithmic" } as Record<string, string>,
  first: "First token",
  firsts: { shown: "shown", hidden: "left out" } as Record<string, string>,
  firstNote: "Without the first token, each row’s rest is shared out anew.",
  thumbnails: "All heads",
  across: "layers across, heads down",
  down: "heads across, layers down",
  thumbnailsCome: (done: number, total: number) => `${done} of ${total} layers`,
  gridLabel: "Heads of the model",
  headLabel: (layer: number, head: number) => `layer ${layer}, head ${head}`,
  mapTitle: (layer: number, head: number) => `Layer ${layer}, head ${head}`,
  mapLabel: "Attention map of the chosen head",
  cell: (row: number, from: string, to: string, value: number) =>
    `row ${row} ${from} → ${to} ${measured(value)}`,
  sumTitle: (from: string, to: string, value: number) => `${from} → ${to}: share ${weight(value)}`,
  sumGrid: "Terms of the score",
  termLabel: (name: string, value: string) => `${name} ${value}`,
  sum: (terms: string, total: string) => `${terms}; together ${total}`,
  caption: (layer: number, head: number, from: string, to: string, value: number, sum: string) =>
    `In layer ${layer}, head ${head}, “${from}” takes ${weight(value)} of its attention from “${to}”: ${sum}.`,
  /** In the place of the sum, if a cell stands for several pairs of tokens. */
  ofTokens: (from: string, to: string, sum: string) =>
    `of their tokens, most from “${from}” to “${to}”: ${sum}`,
  lossTitle: "What it expected, token by token",
  lossNote:
    "The stronger the tint, the greater the surprise; nothing stands before the first token.",
  lossTable: "Each token’s loss in bits",
  tokenLoss: (token: string, trained: number, now: number | undefined) =>
    `${token}: ${bits(trained)} bits${now === undefined ? "" : `, bent ${bits(now)}`}`,
  lossColumns: ["token", "as trained", "bent"],
  noLoss:
    "This is an encoder: it reads the whole text at once and predicts no next token, so there is no loss to show.",
  noHead: "This model has no head that scores a next token, so there is no loss to show.",
  bend: {
    title: "Bend its positions",
    positions: "Positions",
    kinds: { trained: "as trained", none: "none" } as Record<string, string>,
    base: "Rotary base",
    baseText: (value: number) => grouped(value),
    method: "Stretching",
    methods: {
      trained: "as trained",
      default: "none",
      linear: "PI (linear)",
      ntk: "NTK",
      yarn: "YaRN",
      llama3: "Llama 3",
    } as Record<string, string>,
    factor: "by",
    factorText: (value: number) => `${plain(value)} ×`,
    remap: "Far keys",
    remaps: {
      rerope: "ReRoPE",
      leaky_rerope: "leaky ReRoPE",
      self_extend: "Self-Extend",
      dual_chunk: "dual chunks",
      lm_infinite: "LM-Infinite",
    } as Record<string, string>,
    window: "from",
    windowText: (value: number) => `${grouped(value)} tokens`,
    group: "as one",
    groupText: (value: number) => `${value} positions`,
    from: "from layer",
    to: "to layer",
    reset: "As trained again",
    lossTrained: (loss: number) => `As trained, this text costs ${bits(loss)} bits a token.`,
    lossNow: (trained: number, now: number) =>
      `As trained, this text costs ${bits(trained)} bits a token; bent, ${bits(now)} (${change(now - trained)}).`,
    noRotary: "Nothing in this model is turned by its position, so there is no base to bend.",
    decoder:
      "Bent is how the decoder reads what it has written. The encoder stays as it was trained.",
    nothing: "This model is told no positions, so there is nothing to bend.",
  },
  note: (tokens: number, heads: number, milliseconds: number) =>
    `${tokens} tokens through ${heads} heads in ${seconds.en(milliseconds)} s, in a worker of its own.`,
  caveat:
    "A map says where a head takes from, not what that is worth. Thumbnails keep the largest share of each block of cells. Weights of fewer bits than the file has are rounded; maps, terms and losses are then those of the rounded model, and nothing else is rounded on the way to them.",
};

export type OpenWords = typeof en;

const zh: OpenWords = {
  name: "打开你自己的模型：看每个注意力头，把得分拆成分项，再改动它的位置",
  heading: (name) => `${name}的每一个注意力头`,
  closedHeading: "打开你自己的模型",
  sampleName: "本页自带的小模型",
  measured: "所有注意力头，按两个量看；以及它们用到的旋转通道对",
  empty: "还没有打开模型。请选择文件，或者先用自带的小模型。",
  failure: panelWords.zh.failure,
  source: {
    ...panelWords.zh.source,
    drop: "把模型拖到这里：一个文件夹、其中的文件，或一个 GGUF 文件。",
    families: (count) => `能打开什么：${count} 个家族的 Hugging Face 文件夹和 GGUF 文件`,
    familiesNote:
      "表中是各家族的微型随机模型与 Transformers 双精度结果的最大偏差。config.json 里凡是可能影响结果、引擎又不认识的项，都会指名拒绝。",
    familyColumns: ["model_type", "得分或隐藏状态", "注意力"],
  },
  model: ({ family, parameterCount, weightBytes, numLayers, numHeads, decoder, milliseconds }) => {
    const layers = `${numLayers} 层，每层 ${numHeads} 个头`;
    const parts = decoder
      ? `编码器 ${layers}；解码器 ${decoder.numLayers} 层，每层 ${decoder.numHeads} 个头`
      : layers;
    const size = `${counted(parameterCount, "zh")}个参数，${megabytes(weightBytes)} MB`;
    const seconds = (milliseconds / 1000).toFixed(1);
    return `${family || "本项目的模型"}：${size}；${parts}；打开用了 ${seconds} 秒。`;
  },
  text: "文字",
  ids: "词元编号",
  idsRemark: "这些文件里没有可用的分词器，请直接输入词元编号，用空格隔开。",
  written: "解码器要写的文字",
  writtenIds: "解码器要写的词元编号",
  writtenSample: "The kitten chased the mouse.",
  part: "注意力",
  parts: { encoder: "编码器内部", decoder: "解码器内部", cross: "解码器看编码器" },
  shortened: (max) => `只读取前 ${max} 个词元。`,
  short: "请再多输入一点。",
  restOfCharacter: "“·”是前一个字的其余字节：这个分词器把一个字拆成了几个词元。",
  sample: "小猫追着老鼠跑，后来小猫又追着",
  scale: "刻度",
  scales: { linear: "线性", log: "对数" },
  first: "第一个词元",
  firsts: { shown: "显示", hidden: "略去" },
  firstNote: "略去第一个词元后，每一行余下的部分重新归一。",
  thumbnails: "所有注意力头",
  across: "横向为层，纵向为头",
  down: "横向为头，纵向为层",
  thumbnailsCome: (done, total) => `已有 ${done} / ${total} 层`,
  gridLabel: "模型的各个注意力头",
  headLabel: (layer, head) => `第 ${layer} 层第 ${head} 个头`,
  mapTitle: (layer, head) => `第 ${layer} 层第 ${head} 个头`,
  mapLabel: "所选注意力头的注意力图",
  cell: (row, from, to, value) => `第 ${row} 行 ${from} → ${to} ${measured(value)}`,
  sumTitle: (from, to, value) => `${from} → ${to}：占 ${weight(value)}`,
  sumGrid: "得分的各分项",
  termLabel: (name, value) => `${name} ${value}`,
  sum: (terms, total) => `${terms}；合计 ${total}`,
  caption: (layer, head, from, to, value, sum) =>
    `第 ${layer} 层第 ${head} 个头里，“${from}”把 ${weight(value)} 的注意力给了“${to}”：${sum}。`,
  ofTokens: (from, to, sum) => `其中“${from}”给“${to}”的最多：${sum}`,
  lossTitle: "每个词元有多出乎意料",
  lossNote: "底色越浓，越出乎它的意料；第一个词元之前什么也没有。",
  lossTable: "各词元的损失（比特）",
  tokenLoss: (token, trained, now) =>
    `${token}：${bits(trained)} 比特${now === undefined ? "" : `，改动后 ${bits(now)}`}`,
  lossColumns: ["词元", "按训练时", "改动后"],
  noLoss: "这是编码器：它一次读完整段文本，不预测下一个词元，所以没有损失可看。",
  noHead: "这个模型没有给下一个词元打分的输出层，所以没有损失可看。",
  bend: {
    title: "改动它的位置",
    positions: "位置",
    kinds: { trained: "按训练时", none: "去掉" },
    base: "旋转的基数",
    baseText: (value) => grouped(value),
    method: "拉长的方法",
    methods: {
      trained: "按训练时",
      default: "不做改动",
      linear: "PI（线性插值）",
      ntk: "NTK",
      yarn: "YaRN",
      llama3: "Llama 3",
    },
    factor: "倍数",
    factorText: (value) => `${plain(value)} 倍`,
    remap: "远处的键",
    remaps: {
      rerope: "ReRoPE",
      leaky_rerope: "Leaky ReRoPE",
      self_extend: "Self-Extend",
      dual_chunk: "双块注意力",
      lm_infinite: "LM-Infinite",
    },
    window: "多远起",
    windowText: (value) => `${grouped(value)} 个词元`,
    group: "并成一个",
    groupText: (value) => `${value} 个位置`,
    from: "从第几层",
    to: "到第几层",
    reset: "恢复原样",
    lossTrained: (loss) => `按训练时的样子，这段文字的损失是每词元 ${bits(loss)} 比特。`,
    lossNow: (trained, now) =>
      `按训练时的样子，这段文字的损失是每词元 ${bits(trained)} 比特；改动后是 ${bits(now)} 比特（${change(now - trained)}）。`,
    noRotary: "这个模型不按位置旋转，所以没有基数可改。",
    decoder: "改动的是解码器看自己所写内容的方式；编码器保持训练时的样子。",
    nothing: "这个模型没有位置信息，所以没有可改的。",
  },
  note: (tokens, heads, milliseconds) =>
    `${tokens} 个词元经过 ${heads} 个头，用了 ${seconds.zh(milliseconds)} 秒，在单独的后台线程里算。`,
  caveat:
    "注意力图只说明一个头从哪里取信息，不说明这信息有多大用处。缩略图取每一块里最大的一格。位数选得比文件里少，权重就要先量化；这时的注意力图、分项和损失都是量化后的模型的，计算中不再有别的近似。",
};

export const openWords: Bilingual<OpenWords> = { en, zh };
