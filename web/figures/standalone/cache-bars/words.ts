/** The words of the bars of caches. */
import type { CacheKind } from "../../../engine/both/cache-messages.js";
import { bytesText } from "../../../text/bytes.js";
import type { Bilingual } from "../../../text/index.js";
import { grouped } from "../../../text/numbers.js";

const en = {
  name: "What a KV cache keeps for one token",
  title: (times: number) =>
    times > 1
      ? `The largest cache is ${grouped(Number(times.toPrecision(3)))} times the smallest`
      : "What a KV cache keeps for one token",
  kinds: { mha: "MHA", gqa: "GQA", mqa: "MQA", latent: "MLA" } as Record<CacheKind, string>,
  numbers: (count: number, layers: number) =>
    `${grouped(count)} numbers${layers > 1 ? ` × ${grouped(layers)} layers` : ""}`,
  axis: "bytes a token",
  cell: (name: string, bytes: number, total: number) =>
    `${name}: ${bytesText(bytes)} a token, ${bytesText(total)} for the whole text`,
  caption: (name: string, bytes: number, total: number, tokens: number) =>
    `The smallest is ${name}: ${bytesText(bytes)} for a token, ${bytesText(total)} for ${grouped(tokens)} tokens.`,
  note: (bytes: number) =>
    `Counted by the engine’s schemes: keys and values of every head (MHA), of groups of heads (GQA), of one for all (MQA), or one latent vector and a slice that turns (MLA). ${bytes} bytes a number; KB, MB and GB are powers of 1,000.`,
  noteGiven: (bytes: number) =>
    `Numbers that were given to this figure. ${bytes} bytes a number; KB, MB and GB are powers of 1,000.`,
  caveat: "Not shown: what it costs a model’s quality to share keys and values.",
  columns: ["Cache", "Numbers a token and layer", "Bytes a token", "Whole text"],
};

export type CacheBarWords = typeof en;

const zh: CacheBarWords = {
  name: "KV 缓存为一个词元存多少",
  title: (times) =>
    times > 1
      ? `最大的缓存是最小的 ${grouped(Number(times.toPrecision(3)))} 倍`
      : "KV 缓存为一个词元存多少",
  kinds: en.kinds,
  numbers: (count, layers) =>
    `${grouped(count)} 个数${layers > 1 ? ` × ${grouped(layers)} 层` : ""}`,
  axis: "每个词元的字节数",
  cell: (name, bytes, total) =>
    `${name}：每个词元 ${bytesText(bytes)}，整段文本 ${bytesText(total)}`,
  caption: (name, bytes, total, tokens) =>
    `最小的是 ${name}：每个词元 ${bytesText(bytes)}，${grouped(tokens)} 个词元共 ${bytesText(total)}。`,
  note: (bytes) =>
    `由引擎里的方案数出：每个头各存键和值（MHA），几个头一组合用（GQA），所有头合用一份（MQA），或只存一个潜在向量和一小段旋转的键（MLA）。每个数 ${bytes} 字节；KB、MB、GB 按 1,000 进位。`,
  noteGiven: (bytes) => `外部给定的数据。每个数 ${bytes} 字节；KB、MB、GB 按 1,000 进位。`,
  caveat: "图上看不出的：合用键和值，模型质量会差多少。",
  columns: ["缓存", "每层每词元存的数", "每词元字节", "整段文本"],
};

export const cacheBarWords: Bilingual<CacheBarWords> = { en, zh };
