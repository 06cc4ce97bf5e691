/** The trained models' tokenizer, from a library that is loaded when a model is needed. */
import type { Tokenizer } from "whereformer";

const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

/** Reads a `tokenizer.json`; the library is in a chunk of its own. */
export async function readTokenizer(address: URL, signal: AbortSignal): Promise<Tokenizer> {
  const [library, response] = await Promise.all([
    import("@huggingface/tokenizers"),
    fetch(address, { signal }).catch((reason) => {
      throw failure(signal.aborted ? "aborted" : "network", String(reason));
    }),
  ]);
  if (!response.ok) throw failure("network", `${address.pathname}: HTTP status ${response.status}`);
  const description = await response.json().catch(() => {
    throw failure("malformed_file", `${address.pathname} is not JSON`);
  });
  const tokenizer = new library.Tokenizer(description, {});
  return {
    encode: (text) => [...tokenizer.encode(text, { add_special_tokens: false }).ids],
    decode: (ids) =>
      tokenizer.decode([...ids], {
        skip_special_tokens: false,
        clean_up_tokenization_spaces: false,
      }),
  };
}
