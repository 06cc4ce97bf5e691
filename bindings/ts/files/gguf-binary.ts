// The reader of GGUF files (bindings/gguf), in base64: it is small, and so this script needs no
// address for it. The build overwrites this file.
export const ggufBinary: string = "";
