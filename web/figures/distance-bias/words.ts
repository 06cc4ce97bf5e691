/** The words of "what if only distance counted?". */
import type { Bilingual } from "../../text/index.js";
import { grouped, plain } from "../../text/numbers.js";

/** A number's name, and its value in words, or the words to choose from. */
interface NumberWords {
  label: (head: number) => string;
  text?: (value: number, slope: string) => string;
  choices?: readonly string[];
}

/**
 * Caption with the bias one token back and far back, the distance from which the curve is constant,
 * and the other numbers.
 */
type Caption = (near: number, far: number, k: number, values: readonly number[]) => string;

const en = {
  name: "Bias by distance",
  sequence: "2018 to 2020",
  later: "Since 2022",
  names: {
    shaw: "Shaw",
    transformer_xl: "Transformer-XL",
    t5: "T5",
    deberta: "DeBERTa",
    alibi: "ALiBi",
    kerple: "KERPLE",
    sandwich: "Sandwich",
    fire: "FIRE",
    cope: "CoPE",
  } as Record<string, string>,
  head: "Head",
  layer: "Layer",
  allOptions: "All options",
  knobs: {
    shaw: ["Clip", (k: number) => `${k} tokens`],
    transformer_xl: ["Distances up to", (k: number) => `${k} tokens`],
    t5: ["Longest distance", (k: number) => `${k} tokens`],
    deberta: ["Clip", (k: number) => `${k} tokens`],
    alibi: ["Heads", (heads: number) => String(heads)],
    sandwich: ["Width", (width: number) => `${width} channels`],
    fire: ["Threshold", (tokens: number) => `${tokens} tokens`],
    cope: ["Counts up to", (positions: number) => String(positions - 1)],
  } as Record<string, [string, (value: number) => string]>,
  numbers: {
    numBuckets: { label: () => "Buckets", text: plain },
    biasMax: {
      label: (head) => `Slope of head ${head}`,
      text: (_, slope) => `${slope} for each token`,
    },
    interpolation: { label: () => "All slopes divided by", text: plain },
    kernel: { label: () => "Kernel", choices: ["logarithm", "power"] },
    p: { label: (head) => `p of head ${head}`, text: plain },
    a: { label: (head) => `a of head ${head}`, text: plain },
    indexFromZero: {
      label: () => "First frequency",
      choices: ["the one below 1, as NeMo has it", "1, as sinusoids have it"],
    },
    query: { label: () => "Position of the query", text: grouped },
  } as Record<string, NumberWords>,
  titles: {
    shaw: "Shaw: a vector for each distance, up to a clip, held against the query",
    transformer_xl: "Transformer-XL: four terms, of which only two know the distance",
    t5: "T5: a step for each bucket, fine near by, coarse far off",
    deberta: "DeBERTa: the word asks the distance, and the distance asks the word",
    alibi: "ALiBi: a straight line for each head, and nothing to learn",
    kerple: "KERPLE: a line that was taught to bend",
    sandwich: "Sandwich: the product of two sinusoids, without a weight between",
    fire: "FIRE: a small network draws the curve, and the text’s length is its ruler",
    cope: "CoPE: counts what it passes, not how far",
  } as Record<string, string>,
  curvesOfHeads: (heads: number) =>
    heads === 1 ? "bias of the only head, by distance" : `bias of ${heads} heads, by distance`,
  curvesOfText: (head: number) => `what head ${head} adds, by distance, over text held out`,
  mean: "mean",
  low: "one in ten lies below",
  high: "one in ten lies above",
  chosen: (head: number) => `head ${head}`,
  others: "the other heads",
  map: (head: number) => `head ${head}: what each key (across) gets from each query (down)`,
  mapOfText: (head: number) => `head ${head} on the first tokens of that text`,
  matrix: (head: number, slope: string) =>
    `distances as in the paper’s Figure\u00a03; head\u00a0${head} multiplies them by its slope, m\u00a0=\u00a0${slope}`,
  queryName: (index: number) => `q${index}`,
  keyName: (index: number) => `k${index}`,
  cell: (row: string, column: string, value: number) =>
    `query ${row} key ${column}: ${plain(value)}`,
  masked: (row: string, column: string) => `query ${row} key ${column}: masked`,
  point: (distance: number, parts: string[]) => `${distance} tokens back: ${parts.join(", ")}`,
  headValue: (head: number, value: number) => `head ${head} ${plain(value)}`,
  named: (name: string, value: number) => `${name} ${plain(value)}`,
  captions: {
    shaw: (near: number, far: number, k: number) =>
      `One token back the head adds ${plain(near)} on the mean, at ${k} tokens ${plain(far)}: from there on all distances share one vector. How much it adds depends on the query, so the curve is a band.`,
    transformer_xl: (near: number, far: number) =>
      `All that is not content adds ${plain(near)} on the mean one token back and ${plain(far)} far off. Content and the key’s bias know nothing of distance: their curves are level but for what words happen to do. Query · distance and the distance’s own bias bend.`,
    t5: (near: number, far: number, k: number, [buckets]: readonly number[]) =>
      `The head adds ${plain(near)} one token back and ${plain(far)} from the last bucket on. Of ${buckets} buckets, the first ${buckets! / 2} have a distance each, the others ever more of them; from ${k} tokens on the curve is flat.`,
    deberta: (near: number, far: number, k: number) =>
      `Both position terms together add ${plain(near)} on the mean one token back and ${plain(far)} far off; from ${k - 1} tokens on all distances are one.`,
    kerple: (near: number, far: number, _k: number, [kernel, p, a]: readonly number[]) => {
      const [exponent, rate] = [plain(p! / 100), plain(a! / 100)];
      const formula =
        kernel === 2
          ? `−a times the distance to the power p, with a = ${rate} and p = ${exponent}. At p = 1 it is ALiBi’s straight line; below, far tokens cost less and less more.`
          : `−p·ln(1 + a·distance), with p = ${exponent} and a = ${rate}. p says how much, a from where on the line bends.`;
      return `The head subtracts ${plain(-near)} one token back and ${plain(-far)} at the end of the curve: ${formula}`;
    },
    sandwich: (near: number, far: number) =>
      `One token back costs ${plain(-near)}, the end of the curve ${plain(-far)}. Nothing was trained; the cosines of many wavelengths fall together at first and then go their own ways.`,
    fire: (near: number, far: number, _k: number, [query]: readonly number[]) =>
      `Seen from position ${grouped(query!)}, the head adds ${plain(near)} one token back and ${plain(far)} at the end of the curve. Distance is measured in parts of the text so far, once that is longer than the threshold: it is not the same for every query.`,
    cope: (near: number, far: number) =>
      `One token back the head adds ${plain(near)} on the mean, far off ${plain(far)}. Each key between counts as much as its gate says, so at one distance the count, and the bias, differ from text to text.`,
  } as Record<string, Caption>,
  captionOfSlopes: (heads: number, head: number, slope: string, slopes: string[]) =>
    `${heads === 1 ? "The head’s slope is" : `${heads} heads have the slopes ${slopes.join(", ")}. Head ${head}’s is`} ${slope}: every token further back costs so much more.`,
  notPower: (heads: number, below: number) =>
    ` ${heads} is no power of two: the first ${below} slopes are those of ${below} heads, the other ${heads - below} every second one of ${2 * below} heads, from the steepest on.`,
  noteTrained: (layer: number, scores: number, isOfContent: boolean) =>
    isOfContent
      ? `Trained: this page’s model with this scheme, layer ${layer}, on two windows of 128 tokens of text that it never saw; ${scores} scores at the farthest distance. The bias depends on the words.`
      : `Trained: this page’s model with this scheme, layer ${layer}. The bias is the same whatever the words are.`,
  noteRotated:
    " The number was turned after training: the table is the trained one, cut or read anew.",
  notesRotated: {
    alibi:
      " The slopes are one geometric sequence, so one head’s drags the others along; with the paper’s, the flattest is 1/256.",
    t5: " The buckets were changed after training: each of fewer ones takes the mean of what its distances had, and a shorter longest distance only spreads them otherwise.",
    kerple:
      " Training knew the logarithm alone. What you turn is this head’s; the other heads keep the p and a that training found, and for the power p = 1. The paper calls p and a r1 and r2, and for the power r2 and r1.",
    fire: " The threshold, or the query’s position, is not that of the training; the network is.",
  } as Record<string, string>,
  noteDefined: "Nothing here is trained: the formula is all there is.",
  caveat:
    "Not shown: what the words say to each other, which is often more than the bias, and the softmax, to which only differences within a row matter.",
  loading: (loaded: string, total: string) =>
    `Fetching a small model with this scheme: ${loaded} of ${total} MB`,
};

export type DistanceWords = typeof en;

const zh: DistanceWords = {
  name: "随距离而变的偏置",
  sequence: "2018 至 2020",
  later: "2022 以来",
  names: en.names,
  head: "头",
  layer: "层",
  allOptions: "全部选项",
  knobs: {
    shaw: ["截断距离", (k) => `${k} 个词元`],
    transformer_xl: ["最远距离", (k) => `${k} 个词元`],
    t5: ["最远距离", (k) => `${k} 个词元`],
    deberta: ["截断距离", (k) => `${k} 个词元`],
    alibi: ["头数", (heads) => String(heads)],
    sandwich: ["宽度", (width) => `${width} 维`],
    fire: ["阈值", (tokens) => `${tokens} 个词元`],
    cope: ["最多数到", (positions) => String(positions - 1)],
  },
  numbers: {
    numBuckets: { label: () => "分桶数", text: plain },
    biasMax: {
      label: (head) => `第 ${head} 个头的斜率`,
      text: (_, slope) => `每个词元 ${slope}`,
    },
    interpolation: { label: () => "所有斜率除以", text: plain },
    kernel: { label: () => "核函数", choices: ["对数", "幂"] },
    p: { label: (head) => `第 ${head} 个头的 p`, text: plain },
    a: { label: (head) => `第 ${head} 个头的 a`, text: plain },
    indexFromZero: {
      label: () => "最高的频率",
      choices: ["比 1 低一档（NeMo 的做法）", "1（与正弦编码相同）"],
    },
    query: { label: () => "查询的位置", text: grouped },
  },
  titles: {
    shaw: "Shaw：每个距离一个向量，到截断为止，拿来与查询相乘",
    transformer_xl: "Transformer-XL：四个分项，只有两项知道距离",
    t5: "T5：一桶一级台阶，近处细，远处粗",
    deberta: "DeBERTa：词问距离，距离也问词",
    alibi: "ALiBi：每个头一条直线，什么也不用学",
    kerple: "KERPLE：学会了弯曲的直线",
    sandwich: "Sandwich：两行正弦编码的点积，中间不隔权重",
    fire: "FIRE：曲线由一个小网络画，尺子是文章的长度",
    cope: "CoPE：不量有多远，只数经过了什么",
  },
  curvesOfHeads: (heads) => (heads === 1 ? "唯一的头的偏置" : `${heads} 个头的偏置，随距离的变化`),
  curvesOfText: (head) => `第 ${head} 个头在留出文本上加的分，随距离的变化`,
  mean: "平均",
  low: "一成低于此线",
  high: "一成高于此线",
  chosen: (head) => `第 ${head} 个头`,
  others: "其余的头",
  map: (head) => `第 ${head} 个头：每个查询（行）给每个键（列）加的分`,
  mapOfText: (head) => `第 ${head} 个头，读这段文本开头的词元`,
  matrix: (head, slope) =>
    `论文图 3 里的距离；第 ${head} 个头再乘以自己的斜率 m\u00a0=\u00a0${slope}`,
  queryName: en.queryName,
  keyName: en.keyName,
  cell: (row, column, value) => `查询 ${row}，键 ${column}：${plain(value)}`,
  masked: (row, column) => `查询 ${row}，键 ${column}：被掩码挡住`,
  point: (distance, parts) => `回看 ${distance} 个词元：${parts.join("，")}`,
  headValue: (head, value) => `第 ${head} 个头 ${plain(value)}`,
  named: (name, value) => `${name} ${plain(value)}`,
  captions: {
    shaw: (near, far, k) =>
      `回看一个词元，这个头平均加 ${plain(near)}；到 ${k} 个词元时平均加 ${plain(far)}：从这里起，所有距离共用一个向量。加多少还要看查询是什么，所以画出来的是一条带子。`,
    transformer_xl: (near, far) =>
      `内容之外的各项合起来，回看一个词元平均加 ${plain(near)}，远处平均加 ${plain(far)}。内容和键的偏置不知道距离，曲线除了随词起伏，都是平的；弯的是“查询 · 距离”和距离自己的偏置。`,
    t5: (near, far, k, [buckets]) =>
      `这个头在回看一个词元时加 ${plain(near)}，从最后一桶起加 ${plain(far)}。一共 ${buckets} 桶，前 ${buckets! / 2} 桶各装一个距离，再往后一桶装得越来越多；从 ${k} 个词元起，曲线就平了。`,
    deberta: (near, far, k) =>
      `两个位置分项合起来，回看一个词元平均加 ${plain(near)}，远处平均加 ${plain(far)}；从 ${k - 1} 个词元起不再区分远近。`,
    kerple: (near, far, _k, [kernel, p, a]) => {
      const [exponent, rate] = [plain(p! / 100), plain(a! / 100)];
      const formula =
        kernel === 2
          ? `−a 乘以距离的 p 次方，这里 a = ${rate}，p = ${exponent}。p = 1 就是 ALiBi 的直线；p 更小，越远多扣得越少。`
          : `−p·ln(1 + a·距离)，这里 p = ${exponent}，a = ${rate}。p 管扣多少，a 管从哪里开始弯。`;
      return `这个头在回看一个词元时减 ${plain(-near)}，到曲线末端减 ${plain(-far)}：${formula}`;
    },
    sandwich: (near, far) =>
      `回看一个词元减 ${plain(-near)}，到曲线末端减 ${plain(-far)}。什么也没有训练：许多波长的余弦起初一同下降，然后各走各的。`,
    fire: (near, far, _k, [query]) =>
      `站在位置 ${grouped(query!)} 上，这个头在回看一个词元时加 ${plain(near)}，到曲线末端加 ${plain(far)}。前文一旦长过阈值，距离就按它占前文的比例来量：换一个查询，尺子就不同。`,
    cope: (near, far) =>
      `回看一个词元，这个头平均加 ${plain(near)}，远处平均加 ${plain(far)}。中间每个键算几分之一，由它的门控说了算；所以距离相同，换一段文本，数出来的不同，偏置也不同。`,
  },
  captionOfSlopes: (heads, head, slope, slopes) =>
    `${heads === 1 ? "唯一的头，斜率是" : `${heads} 个头的斜率依次是 ${slopes.join("、")}。第 ${head} 个头的是`} ${slope}：每远一个词元，就多减这么多。`,
  notPower: (heads, below) =>
    `${heads} 不是 2 的幂：前 ${below} 个头用 ${below} 个头时的斜率，其余 ${heads - below} 个从 ${2 * below} 个头的那组里，由最陡的起隔一个取一个。`,
  noteTrained: (layer, scores, isOfContent) =>
    isOfContent
      ? `数值来自本页用这种方案训练的模型，第 ${layer} 层，读的是两段留出文本，各 128 个词元；最远的距离上也有 ${scores} 个得分。偏置随词而变。`
      : `数值来自本页用这种方案训练的模型，第 ${layer} 层。无论是什么词，偏置都一样。`,
  noteRotated: "旋钮是训练之后才拧的：表还是训练好的那张，只是截短了，或换了读法。",
  notesRotated: {
    alibi: "各头的斜率是一个等比数列，拖一个，其余的跟着走；论文里最平的是 1/256。",
    t5: "分桶是训练之后才改的：桶少了，每一桶取它那些距离原来的平均值；最远距离短了，只是各桶换了管的距离。",
    kerple:
      "训练时只有对数核。你拧的只是这个头的数；其余的头仍用训练出来的 p 和 a，换成幂时 p 取 1。论文把 p、a 记作 r1、r2，幂核则反过来记作 r2、r1。",
    fire: "阈值或查询的位置与训练时不同；网络还是训练好的那个。",
  },
  noteDefined: "这里没有训练过的数，全凭公式。",
  caveat: "图上看不出的：词与词之间的内容，它有时会盖过偏置；还有 softmax，它只看一行之内的差别。",
  loading: (loaded, total) => `正在下载用这种方案训练的小模型：${loaded} / ${total} MB`,
};

export const distanceWords: Bilingual<DistanceWords> = { en, zh };
