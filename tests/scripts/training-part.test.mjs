// Finds the functions of an engine that only training calls.
import assert from "node:assert/strict";
import { test } from "node:test";
import { trainingFunctions } from "../../scripts/build/training-part.mjs";

const body = (name, ...lines) => [` (func $${name} (param $0 i32)`, ...lines, " )"].join("\n");

test("functions that only a trainer reaches, also through the table, belong to training", () => {
  const text = [
    "(module",
    ' (elem $0 (i32.const 1) $run $"wf::Rope::rotate_backward(wf::Matrix) const" $shared ' +
      '$"make\\28wf::TaskSettings\\29")',
    ' (export "A" (func $main))',
    body("main", "  (call $run", "   (local.get $0)", "  )"),
    body("run", "  (call $helper)"),
    body("helper"),
    body("shared"),
    body('"wf::Rope::rotate_backward(wf::Matrix) const"', "  (call $helper)", "  (call $only)"),
    body("only", "  (drop (ref.func $deep))"),
    body("deep"),
    body('"make\\28wf::TaskSettings\\29"', '  (call $"it\\\'s")'),
    body('"it\\\'s"'),
    body("wf::step_backward"),
    ")",
  ].join("\n");
  assert.deepEqual(trainingFunctions(text), [
    "wf::Rope::rotate_backward(wf::Matrix) const",
    "only",
    "deep",
    "make(wf::TaskSettings)",
    "it's",
    "wf::step_backward",
  ]);
});
