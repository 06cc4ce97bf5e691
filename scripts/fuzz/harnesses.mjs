/** The harnesses of tests/fuzz, each the target fuzz_NAME of the preset "fuzz". */
export const harnesses = ["safetensors", "gguf", "request", "attention", "formula"];
