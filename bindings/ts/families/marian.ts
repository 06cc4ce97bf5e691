import { bartAbsent, bartAliases, bartConfig, bartHarmless } from "./bart.js";
import type { Family } from "./family.js";

/**
 * Junczys-Dowmunt et al. 2018, arXiv 1804.00344, as the models of OPUS-MT use it: sinusoidal
 * positions, and a separate vocabulary for the decoder if a model has one.
 */
export const marian: Family = {
  id: "marian",
  absent: {
    ...bartAbsent,
    vocab_size: 58101,
    share_encoder_decoder_embeddings: true,
    decoder_start_token_id: 58100,
    pad_token_id: 58100,
  },
  aliases: bartAliases,
  read(file) {
    file.flag("scale_embedding");
    const vocabulary = file.number("vocab_size");
    const decoded = file.number("decoder_vocab_size", vocabulary);
    const isShared = file.flag("share_encoder_decoder_embeddings");
    if (isShared) file.only("decoder_vocab_size", vocabulary);
    const shared = "shared|decoder.embed_tokens|encoder.embed_tokens";
    return bartConfig(file, {
      isNormed: false,
      // √E is an option of the sinusoids.
      scale: 1,
      embeddings: {
        encoder: isShared ? shared : "encoder.embed_tokens",
        decoder: isShared ? shared : "decoder.embed_tokens",
      },
      vocabSizes: { encoder: vocabulary, decoder: isShared ? vocabulary : decoded },
      start: file.number("decoder_start_token_id", file.number("pad_token_id", 0)),
    });
  },
  layerKeys: "scale_embedding max_position_embeddings",
  harmless: bartHarmless,
};
