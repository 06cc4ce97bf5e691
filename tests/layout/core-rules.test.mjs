// Features of C++ that code under src may not use.

import assert from "node:assert/strict";
import { test } from "node:test";
import { below, codeOf, linesMatching } from "./tree.mjs";

const sources = below("src", ".cpp", ".h");
const matches = (pattern, except = []) =>
  sources
    .filter((file) => !except.includes(file))
    .flatMap((file) => linesMatching(file, pattern, codeOf(file)));

test("nothing under src uses throw, try or catch", () => {
  assert.ok(sources.length > 10, "no source was found");
  assert.deepEqual(matches(/\b(?:throw|try|catch)\b/), []);
});

const vectors = ["src/kernels/simd.h", "src/kernels/simd_bytes.h"];

test("intrinsics are only in kernels/simd.h and simd_bytes.h", () => {
  const intrinsic = new RegExp(
    String.raw`\bwasm_[a-z0-9_]+\s*\(|\bv128_t\b|\b_mm(?:256|512)?_|\b__m(?:128|256|512)` +
      String.raw`|\bsimde|intrin\.h|simd128\.h|\bvector_size\b`,
  );
  assert.deepEqual(matches(intrinsic, vectors), []);
});

test("conditional compilation is only in those two files and executor.h", () => {
  const places = [...vectors, "src/executor.h"];
  assert.deepEqual(matches(/^\s*#\s*(?:if|ifdef|ifndef|elif)\b/, places), []);
});

test("memory is allocated in tensor/buffer, or by a `new` that may return null", () => {
  const allocation =
    /\b(?:malloc|calloc|realloc|aligned_alloc)\s*\(|\bnew\b(?!\s*\(std::nothrow\)|>)/;
  assert.deepEqual(matches(allocation, ["src/tensor/buffer.cpp", "src/tensor/buffer.h"]), []);
});

test("nothing large is linked: no printf, streams, maps, functions, sorts (docs/size.md)", () => {
  const heavy = new RegExp(
    String.raw`\b[vs]*n?printf\s*\(|\bstd::(?:stable_)?sort\b|\bexp2\s*\(` +
      "|<(?:iostream|sstream|map|unordered_map|functional|regex|format)>",
  );
  assert.deepEqual(matches(heavy), []);
});

test("headers have include guards", () => {
  const without = below("src", ".h").filter((file) => !/^#pragma once$/m.test(codeOf(file)));
  assert.deepEqual(without, []);
});

test("nothing in bindings uses throw, try or catch, or replaces a function of Emscripten", () => {
  const bindings = below("bindings", ".cpp", ".h");
  assert.ok(bindings.length > 10, "no source was found");
  const wrong = bindings.flatMap((file) =>
    linesMatching(file, /\b(?:throw|try|catch)\b|emscripten::internal|_embind_/, codeOf(file)),
  );
  assert.deepEqual(wrong, []);
});

// The C library's functions have C linkage, so a function with a body and C linkage could be linked
// instead of one. Allowed are declarations, and functions of the GGUF reader with names of its own.
// libc++ lets a program define std::__libcpp_verbose_abort.
test("no function of the C or C++ library is replaced", () => {
  const body = /\bextern\s*""(?!.*;\s*$| __attribute__\(\(export_name)/;
  const inLibrary = /\bstd::__(?!libcpp_verbose_abort\b)|\bnamespace std\b|__wrap_/;
  const forbidden = new RegExp(`${body.source}|${inLibrary.source}`);
  for (const line of ['extern "" int siprintf(char*, const char*, ...) {', 'extern "" {'])
    assert.match(line, forbidden);
  const wrong = [...sources, ...below("bindings", ".cpp", ".h")].flatMap((file) =>
    linesMatching(file, forbidden, codeOf(file)),
  );
  assert.deepEqual(wrong, []);
});

test("memory is copied only in bindings/calls/workspace and bindings/ts/wire/core", () => {
  const views = [
    ...below("bindings/embind", ".cpp", ".h"),
    ...below("bindings/ts", ".ts").filter(
      (file) => !["bindings/ts/wire/core.ts", "bindings/ts/generated/module.ts"].includes(file),
    ),
  ].flatMap((file) => linesMatching(file, /memory_view\b|HEAPU?8|reinterpret_cast/, codeOf(file)));
  const pool = "bindings/embind/thread_pool.cpp"; // the stacks of threads, and their functions
  assert.deepEqual(
    views.filter((line) => !line.startsWith(pool)),
    [],
  );
});
