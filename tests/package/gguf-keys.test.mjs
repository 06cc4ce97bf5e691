// Each key in the tables of GGUF keys: missing, of each type, of a wrong kind and out of range; and
// keys in no table.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { ggufTables } from "../../build/modules/files/gguf-table.js";
import { keyTables, pageWithKeyTables } from "../../scripts/gguf-tables.mjs";
import { archNames, bothForms } from "./gguf-bytes.mjs";
import { f32, flag, fromFile, opened, text, u32, withKeys } from "./gguf-forms.mjs";
import { near, rejected } from "./golden.mjs";

/** Returns a valid value of a key that does not change the numbers. */
function fitting(arch, form, key, rule) {
  const name = `${arch}.${key}`;
  if (form.keys[name]) return form.keys[name];
  const { config } = form;
  const [width, heads] = [config.hidden_size ?? config.n_embd, config.num_attention_heads ?? 3];
  const headDim = config.head_dim ?? width / heads;
  const known = {
    vocab_size: 29,
    embedding_length_out: width,
    "attention.head_count_kv": heads,
    "attention.key_length": headDim,
    "attention.value_length": headDim,
    "attention.key_length_swa": headDim,
    "attention.value_length_swa": headDim,
    "attention.sliding_window_pattern": 2,
    "rope.dimension_count": headDim,
    "rope.dimension_count_swa": headDim,
    "rope.scaling.original_context_length": config.max_position_embeddings,
    "rope.freq_base_swa": 10000,
  };
  if (rule.kind === "word") return text(rule.absent);
  if (rule.kind === "flag") return flag(true);
  const value = known[key] ?? (typeof rule.absent === "number" ? rule.absent : 0);
  return Number.isInteger(value) && value >= 0 ? u32(value) : f32(value);
}

const rulesOf = (arch) =>
  Object.entries(ggufTables[arch]).filter(([, rule]) => rule !== "harmless");
const harmlessOf = (arch) =>
  Object.entries(ggufTables[arch]).flatMap(([key, rule]) =>
    rule === "harmless" ? [key.replace("*", "block_count")] : [],
  );

const wholes = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"];
const most = { u8: 255, i8: 127, u16: 65535, i16: 32767 };

/** Returns the types that can store a value. */
function typesOf(value) {
  const isWhole = Number.isInteger(value);
  const fit = isWhole
    ? wholes.filter(
        (type) => value <= (most[type] ?? 2 ** 31 - 1) && (value >= 0 || type[0] === "i"),
      )
    : [];
  return ["f32", "f64", ...fit, ...(value === 0 || value === 1 ? ["bool"] : [])];
}

/** Values out of range. */
const outside = {
  size: [0, -1, 1.5, 2 ** 31],
  count: [-1, 0.5, 2 ** 31],
  period: [-1, 0.5],
  positive: [0, -1],
  notNegative: [-1],
  factor: [-1, 0.5],
  number: [],
  flag: [2, -1, 0.5],
};

for (const arch of archNames)
  describe(`the table of ${arch}`, () => {
    const form = bothForms(arch);
    const right = fromFile(arch, form);
    const named = (key) => new RegExp(`${arch}\\.${key.replaceAll(".", "\\.")}\\b`);

    test("a missing key is refused by name, or has the table's default", async () => {
      for (const [key, rule] of rulesOf(arch)) {
        const less = withKeys(form, arch, { [key]: undefined });
        if (rule.absent === undefined && key !== "vocab_size") {
          await rejected(opened(less), "malformed_file", named(key));
          continue;
        }
        if (form.keys[`${arch}.${key}`]) continue;
        const more = withKeys(form, arch, { [key]: fitting(arch, form, key, rule) });
        assert.deepEqual(await fromFile(arch, more), await right, key);
      }
    });

    test("a number is read the same from any type", async () => {
      let turn = 0;
      for (const [key, rule] of rulesOf(arch)) {
        if (rule.kind === "word" || rule.kind === "counts") continue;
        const { value } = fitting(arch, form, key, rule);
        // All types for keys of the file, two alternating types for others.
        const all = typesOf(Number(value));
        const isSaid = form.keys[`${arch}.${key}`] !== undefined;
        for (const type of isSaid ? all : [all[turn++ % all.length], all[turn++ % all.length]]) {
          const changed = withKeys(form, arch, { [key]: { type, value: Number(value) } });
          near(await fromFile(arch, changed), await right, 1e-6, `${key} as ${type}`);
        }
        const list = { type: "f32", value: [Number(value), Number(value)] };
        const listed = withKeys(form, arch, { [key]: list });
        if (rule.kind === "period") await rejected(opened(listed), "malformed_file", named(key));
        else near(await fromFile(arch, listed), await right, 1e-6, `${key} as a list`);
      }
    });

    test("a value of a wrong kind or out of range is refused by name", async () => {
      for (const [key, rule] of rulesOf(arch)) {
        const { value } = fitting(arch, form, key, rule);
        const numbers = [
          text("12"),
          { type: "text", value: ["a", "b"] },
          { type: "u32", value: [] },
          { type: "f32", value: Number.NaN },
          { type: "f64", value: Number.POSITIVE_INFINITY },
          ...(outside[rule.kind] ?? []).map((wrong) => ({ type: "f64", value: wrong })),
        ];
        const texts = [u32(1), flag(true), { type: "text", value: ["linear"] }];
        for (const wrong of rule.kind === "word" ? texts : numbers) {
          const error = await rejected(
            opened(withKeys(form, arch, { [key]: wrong })),
            "malformed_file",
            named(key),
          );
          assert.match(error.message, / \(expected /);
        }
        if (["word", "period", "counts"].includes(rule.kind)) continue;
        const differing = { type: "f32", value: [Number(value), Number(value) + 1] };
        const each = withKeys(form, arch, { [key]: differing });
        await rejected(opened(each), "unsupported", named(key));
      }
    });

    test("a value that would change the result is refused by name and value", async () => {
      for (const [key, rule] of rulesOf(arch)) {
        if (!rule.only) continue;
        const wrong =
          rule.kind === "word"
            ? text("another")
            : rule.kind === "flag"
              ? flag(!rule.only[0])
              : u32(rule.from ? 3 : 777);
        const changed = opened(withKeys(form, arch, { [key]: wrong }));
        const error = await rejected(changed, "unsupported", named(key));
        assert.match(error.message, /(?:"another"|false|3|777) \(expected/);
      }
    });

    test("an unknown key is refused by name and value", async () => {
      for (const key of [
        "other",
        "attention.other",
        "rope.scaling.other",
        "vision",
        "ssm.kernel",
      ]) {
        if (key in ggufTables[arch]) continue;
        for (const value of [u32(3), text("3"), { type: "f32", value: [1, 2] }]) {
          const error = await rejected(
            opened(withKeys(form, arch, { [key]: value })),
            "unsupported",
            named(key),
          );
          assert.match(error.message, /: (?:3|"3"|\[1, 2\]) \(expected no such key\)$/);
        }
      }
    });

    test("a key listed as harmless does not change the numbers", async () => {
      const keys = Object.fromEntries(harmlessOf(arch).map((key) => [key, u32(3)]));
      assert.deepEqual(await fromFile(arch, withKeys(form, arch, keys)), await right);
      const more = {
        "general.type": text("model"),
        "general.name": text("a"),
        "general.file_type": u32(7),
        "general.quantization_version": u32(2),
        "general.alignment": { type: "u64", value: 32 },
        "general.sampling.temp": f32(0.5),
        "general.tags": { type: "text", value: ["a"] },
        "quantize..imatrix.file": text("b"),
        "tokenizer.chat_template": text("{{ a }}"),
        "tokenizer.ggml.other": text("c"),
        "mradermacher..quantize_version": text("2"),
        "split.count": u32(0),
      };
      assert.deepEqual(await fromFile(arch, withKeys(form, arch, more)), await right);
    });
  });

test("docs/families.md has the current tables", () => {
  const page = readFileSync(new URL("../../docs/families.md", import.meta.url), "utf8");
  assert.equal(pageWithKeyTables(page), page, "out of date: npm run families -- --write");
  for (const arch of archNames)
    for (const key of Object.keys(ggufTables[arch])) assert.ok(keyTables().includes(`\`${key}\``));
});
