// Lists every public call in the published types: those of `load`'s result, and of the objects that
// these return.

import { fileURLToPath } from "node:url";
import ts from "typescript";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
/** Depth to which fields of arguments are listed: `config.layers`, `q.data`. */
const mostDepth = 2;

/**
 * Returns the calls of an entry by name ("Engine.matmul"), each with its arguments and the fields
 * of those that are objects of options: `["a", "a.data", "a.shape", …]`.
 */
export function publicCalls(entry) {
  const file = `${dist}${entry}.d.ts`;
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts"],
    strict: true,
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const isOurs = (type) =>
    (type.aliasSymbol ?? type.symbol)?.declarations?.some((node) =>
      node.getSourceFile().fileName.startsWith(dist),
    );
  const typeOf = (symbol) => checker.getTypeOfSymbolAtLocation(symbol, source);
  const parts = (type) => (type.isUnion() ? type.types : [type]);
  const methodsOf = (type) =>
    checker
      .getPropertiesOfType(type)
      .map((symbol) => [
        symbol.name,
        checker.getNonNullableType(typeOf(symbol)).getCallSignatures(),
      ])
      .filter(([name, signatures]) => signatures.length && !name.startsWith("__@"));

  const calls = new Map();
  const objects = new Set();

  /** Returns the paths of an argument and of its fields. */
  function pathsOf(path, type, depth) {
    const found = new Set([path]);
    for (const part of parts(checker.getNonNullableType(type))) {
      const isPlain = part.flags & ts.TypeFlags.Object && isOurs(part) && !objects.has(part.symbol);
      if (!isPlain || depth === mostDepth || checker.isArrayLikeType(part)) continue;
      if (methodsOf(part).some(([name]) => name === "dispose")) continue;
      for (const field of checker.getPropertiesOfType(part))
        for (const inner of pathsOf(`${path}.${field.name}`, typeOf(field), depth + 1))
          found.add(inner);
    }
    return [...found];
  }

  function visit(type) {
    const given = checker.getAwaitedType(type) ?? type;
    if (!(given.flags & ts.TypeFlags.Object) || !isOurs(given) || objects.has(given.symbol)) return;
    const methods = methodsOf(given);
    if (!methods.some(([name]) => name === "dispose" || name === "matmul")) return;
    objects.add(given.symbol);
    for (const [name, signatures] of methods) add(`${given.symbol.name}.${name}`, signatures);
  }

  function add(name, signatures) {
    for (const signature of signatures) {
      const paths = signature
        .getParameters()
        .map((parameter) => pathsOf(parameter.name, typeOf(parameter), 0));
      calls.set(name, paths);
      visit(signature.getReturnType());
    }
  }

  for (const name of checker.getExportsOfModule(checker.getSymbolAtLocation(source))) {
    const symbol = name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name;
    const signatures = symbol.flags & ts.SymbolFlags.Function && typeOf(symbol).getCallSignatures();
    if (signatures) add(symbol.name, signatures);
  }
  return calls;
}
