/** All families, one on each line. */

import { bart } from "./bart.js";
import { bert, camembert, electra, roberta, xlmRoberta } from "./bert.js";
import { bloom } from "./bloom.js";
import { cohere, cohere2 } from "./cohere.js";
import { debertaV2 } from "./deberta-v2.js";
import { deepseekV2, deepseekV3, youtu } from "./deepseek.js";
import { distilbert } from "./distilbert.js";
import { falcon } from "./falcon.js";
import type { Family } from "./family.js";
import { gemma, gemma2, gemma3 } from "./gemma.js";
import { gptNeo } from "./gpt-neo.js";
import { gptNeoX } from "./gpt-neox.js";
import { gpt2 } from "./gpt2.js";
import { gptj } from "./gptj.js";
import { granite } from "./granite.js";
import { llama } from "./llama.js";
import { marian } from "./marian.js";
import { mistral } from "./mistral.js";
import { modernbert } from "./modernbert.js";
import { mpnet } from "./mpnet.js";
import { mpt } from "./mpt.js";
import { olmo2 } from "./olmo2.js";
import { opt } from "./opt.js";
import { phi } from "./phi.js";
import { phi3 } from "./phi3.js";
import { qwen2 } from "./qwen2.js";
import { qwen3 } from "./qwen3.js";
import { smollm3 } from "./smollm3.js";
import { stablelm } from "./stablelm.js";
import { starcoder2 } from "./starcoder2.js";
import { mt5, t5 } from "./t5.js";
import { transformerXl } from "./transformer-xl.js";
import { xlnet } from "./xlnet.js";

export const families: readonly Family[] = [
  llama,
  mistral,
  qwen2,
  qwen3,
  smollm3,
  phi3,
  olmo2,
  stablelm,
  granite,
  starcoder2,
  cohere,
  cohere2,
  deepseekV2,
  deepseekV3,
  youtu,
  gemma,
  gemma2,
  gemma3,
  gpt2,
  gptNeo,
  opt,
  gptNeoX,
  gptj,
  phi,
  falcon,
  bloom,
  mpt,
  bert,
  roberta,
  xlmRoberta,
  camembert,
  electra,
  mpnet,
  modernbert,
  debertaV2,
  xlnet,
  transformerXl,
  t5,
  mt5,
  bart,
  marian,
  distilbert,
];
