/**
 * `<wf-cache-bars>`: bytes that a KV cache keeps for a token, for MHA, GQA, MQA and MLA, or for
 * given models.
 */

import type { GivenCache } from "whereformer/elements";
import { latentScheme } from "../../../defaults.js";
import { define } from "../../../define.js";
import {
  type CacheKind,
  type CacheQuestion,
  cacheKinds,
} from "../../../engine/both/cache-messages.js";
import { NewestWins } from "../../../engine/page/newest-wins.js";
import { bytesText } from "../../../text/bytes.js";
import { grouped } from "../../../text/numbers.js";
import { DataFigure, type PickedCell, rowByName } from "../../shared/data/data-figure.js";
import { cacheCode } from "../../shared/exports/cache-code.js";
import { ids, lists, ofKind, positive, whole } from "../../shared/given/kinds.js";
import { refused } from "../../shared/given/refused.js";
import { drawCaches } from "../../shared/pictures/cache-picture.js";
import { type Cache, cachesOf, cachesOfAddress, maxCaches } from "./caches.js";
import { givenCachesCode } from "./code.js";
import { cacheBarWords } from "./words.js";
import "../../shared/figure/frame.js";

interface ShownCaches {
  caches: Cache[];
  /** The question, if the engine computed the caches. */
  question?: CacheQuestion;
}

const kindsOf = (written: string): CacheKind[] => {
  const ids = written
    .trim()
    .split(/[\s,]+/)
    .map((id) => (id === latentScheme ? "latent" : id));
  const wrong = ids.find((id) => !cacheKinds.includes(id as CacheKind));
  if (wrong === undefined) return ids as CacheKind[];
  throw refused("kinds", written, { expected: "some", choices: "mha, gqa, mqa, mla" });
};

/** Maximum of heads, channels and layers. */
const maxSize = 65_536;

export class CacheBars extends DataFigure<ShownCaches> {
  static override properties = {
    ...DataFigure.properties,
    caches: ofKind(lists(maxCaches)),
    kinds: ofKind(ids, "mha gqa mqa mla"),
    heads: ofKind(whole(1, maxSize), 32),
    kvHeads: ofKind(whole(1, maxSize), 8, "kv-heads"),
    headDim: ofKind(whole(1, maxSize), 128, "head-dim"),
    rank: ofKind(whole(1, maxSize), 512),
    slice: ofKind(whole(0, maxSize), 64),
    layers: ofKind(whole(1, maxSize), 32),
    tokens: ofKind(whole(1), 131_072),
    bytes: ofKind(positive(64), 2),
  };

  /**
   * Given models: a list of `{ name, layers, kvHeads, headDim }`, `{ name, rank, slice }` or `{
   * name, numbers }`.
   */
  declare caches: readonly GivenCache[] | undefined;
  /** The bars: some of `mha gqa mqa mla`. */
  declare kinds: string;
  /** Heads of queries. */
  declare heads: number;
  /** Heads of keys and values in grouped attention. */
  declare kvHeads: number;
  /** Channels of a head. */
  declare headDim: number;
  /** Channels of the latent vector. */
  declare rank: number;
  /** Channels of the part that rotates. */
  declare slice: number;
  /** Layers. */
  declare layers: number;
  /** Tokens of the whole text. */
  declare tokens: number;
  /** Bytes of a number. */
  declare bytes: number;
  #line = new NewestWins("cache");

  protected override get origins() {
    return {
      numbers: ["caches"],
      asks: ["kinds", "heads", "kvHeads", "headDim", "rank", "slice", "layers"],
      readsModels: false,
    };
  }

  protected get inputs() {
    const { caches, src, kinds, heads, kvHeads, headDim, rank, slice, layers } = this;
    const asked = [kinds, heads, kvHeads, headDim, rank, slice, layers, this.state.language];
    return caches || src ? [caches, src] : asked;
  }

  protected async read(signal: AbortSignal): Promise<ShownCaches | undefined> {
    const { caches, src, heads: numHeads, kvHeads: groups, headDim, rank, slice, layers } = this;
    if (caches) return { caches: cachesOf(caches) };
    if (src) return { caches: await cachesOfAddress(src, signal) };
    const kinds = kindsOf(this.kinds);
    const question = { numHeads, groups, headDim, rank, slice };
    const answer = await this.#line.ask(question);
    if (!answer) return undefined;
    const { kinds: names } = this.say(cacheBarWords);
    const counted = kinds.map((kind): Cache => {
      return { name: names[kind], numbers: answer.numbers[kind], layers };
    });
    return { caches: counted, question };
  }

  /** Bytes for a token in all layers. */
  #bytesOf = ({ numbers, layers }: Cache): number => numbers * layers * this.bytes;

  /** Returns a row for each cache. */
  #table(): (string | number)[][] {
    const { caches = [] } = this.shown ?? {};
    return [
      ["cache", "numbers_a_token_and_layer", "layers", "bytes_a_token", "bytes_of_the_text"],
      ...caches.map((cache) => {
        const bytes = this.#bytesOf(cache);
        return [cache.name, cache.numbers, cache.layers, bytes, bytes * this.tokens];
      }),
    ];
  }

  protected picked({ row }: PickedCell) {
    return rowByName(this.#table(), row);
  }

  #caption(caches: readonly Cache[]): string {
    const sorted = [...caches].sort((a, b) => this.#bytesOf(a) - this.#bytesOf(b));
    const bytes = this.#bytesOf(sorted[0]!);
    const words = this.say(cacheBarWords);
    return words.caption(sorted[0]!.name, bytes, bytes * this.tokens, this.tokens);
  }

  protected override render() {
    const words = this.say(cacheBarWords);
    const { shown, tokens, bytes } = this;
    const caches = shown?.caches ?? [];
    const sizes = caches.map(this.#bytesOf);
    const title = words.title(shown ? Math.max(...sizes) / Math.min(...sizes) : 1);
    const caption = shown ? this.#caption(caches) : "";
    const bars = caches.map(({ name, numbers, layers }, at) => ({
      name,
      value: sizes[at]!,
      text: bytesText(sizes[at]!),
      how: words.numbers(numbers, layers),
      isMarked: sizes[at] === Math.min(...sizes),
      told: words.cell(name, sizes[at]!, sizes[at]! * tokens),
    }));
    return this.framed({
      name: words.name,
      title,
      caption,
      caveat: words.caveat,
      note: !shown ? "" : shown.question ? words.note(bytes) : words.noteGiven(bytes),
      inside: shown ? this.sceneOf(`${words.name}. ${caption}`, drawCaches(bars, words)) : "",
      takeaway: shown && {
        at: "cache-bars",
        title,
        code: shown.question ? cacheCode(shown.question) : givenCachesCode(),
        table: () => this.#table(),
        scene: () => this.scene(),
      },
      table: shown && {
        label: this.dataWords.table,
        columns: words.columns,
        rows: caches.map(({ name, numbers }, at) => [
          name,
          grouped(numbers),
          bytesText(sizes[at]!),
          bytesText(sizes[at]! * tokens),
        ]),
      },
    });
  }
}

define("wf-cache-bars", CacheBars);
