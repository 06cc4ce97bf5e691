/** What options are called in words; their keys, which checkpoints use, stand beside. */
import type { Bilingual } from "../../text/index.js";

type Names = Readonly<Record<string, string>>;

const en: Names = {
  ropeTheta: "Base θ",
  interleaved: "Neighbouring channels pair",
  partialRotaryFactor: "Share of channels that turn",
  maxPositionEmbeddings: "Longest text meant",
  "ropeScaling.ropeType": "How pairs are stretched",
  "ropeScaling.factor": "Times longer",
  "ropeScaling.originalMaxPositionEmbeddings": "Trained length L",
  "ropeScaling.attentionFactor": "Factor on cosine and sine",
  "ropeScaling.betaFast": "Kept from so many turns in L",
  "ropeScaling.betaSlow": "Divided up to so many turns in L",
  "ropeScaling.truncate": "Ramp ends at whole pairs",
  "ropeScaling.mscale": "DeepSeek’s factor: numerator",
  "ropeScaling.mscaleAllDim": "DeepSeek’s factor: denominator",
  "ropeScaling.lowFreqFactor": "Divided below so many turns in L",
  "ropeScaling.highFreqFactor": "Kept above so many turns in L",
  "ropeScaling.shortFactor": "Divisors up to L",
  "ropeScaling.longFactor": "Divisors beyond L",
  scaleBase: "Distance B of the decay",
  sectionsInterleaved: "Axes take turns among pairs",
  sectionTime: "Pairs for time",
  sectionRow: "Pairs for the row",
  sectionColumn: "Pairs for the column",
  ropeHeadDim: "Channels that turn",
  nopeHeadDim: "Channels of content",
  kvLoraRank: "Width of the latent row",
  qLoraRank: "Width of the queries’ latent row",
  vHeadDim: "Channels of a value",
};

const zh: Names = {
  ropeTheta: "基数 θ",
  interleaved: "相邻两维配成一对",
  partialRotaryFactor: "参与旋转的维数占比",
  maxPositionEmbeddings: "设计的最大长度",
  "ropeScaling.ropeType": "拉长的方法",
  "ropeScaling.factor": "拉长的倍数",
  "ropeScaling.originalMaxPositionEmbeddings": "训练长度 L",
  "ropeScaling.attentionFactor": "余弦、正弦所乘的系数",
  "ropeScaling.betaFast": "L 内至少转这么多圈：不变",
  "ropeScaling.betaSlow": "L 内至多转这么多圈：按倍数放慢",
  "ropeScaling.truncate": "过渡区间两端取整",
  "ropeScaling.mscale": "DeepSeek 系数：分子",
  "ropeScaling.mscaleAllDim": "DeepSeek 系数：分母",
  "ropeScaling.lowFreqFactor": "L 内圈数低于此值：按倍数放慢",
  "ropeScaling.highFreqFactor": "L 内圈数高于此值：不变",
  "ropeScaling.shortFactor": "L 以内各对的除数",
  "ropeScaling.longFactor": "超过 L 时各对的除数",
  scaleBase: "衰减的距离尺度 B",
  sectionsInterleaved: "各轴在通道对中轮流",
  sectionTime: "时间轴的对数",
  sectionRow: "行的对数",
  sectionColumn: "列的对数",
  ropeHeadDim: "旋转部分的维数",
  nopeHeadDim: "内容部分的维数",
  kvLoraRank: "潜在向量的维数",
  qLoraRank: "查询潜在向量的维数",
  vHeadDim: "值的维数",
};

/** Names by key; an option that none was given goes by its key alone. */
export const optionNames: Bilingual<Names> = { en, zh };
