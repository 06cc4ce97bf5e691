/** The families of docs/families.md, as config.json calls them; a test holds both together. */
export const families =
  "bart, bert, bloom, camembert, cohere, cohere2, deberta-v2, distilbert, electra, " +
  "falcon, gemma, gemma2, gemma3_text, gpt2, gpt_neo, gpt_neox, gptj, granite, llama, " +
  "marian, mistral, modernbert, mpnet, mpt, mt5, olmo2, opt, phi, phi3, qwen2, qwen3, " +
  "roberta, smollm3, stablelm, starcoder2, t5, xlm-roberta";
