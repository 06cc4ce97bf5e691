// The reader of GGUF files (bindings/gguf), in base64: small, and so it needs no address wherever
// this script ends up. The build writes this file anew.
export const ggufBinary: string = "";
