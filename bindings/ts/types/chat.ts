/** Conversations with a model. */
import type {
  GeneratedToken,
  GenerateOptions,
  Generation,
  SessionOptions,
} from "./model-options.js";
import type { TokenIds, Tokenizer, TokenizerFiles } from "./tokenizer.js";

export interface ChatMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

/** The parts of a model, of this thread or of a worker, that a chat needs. */
export interface ChatModel {
  readonly tokenizer?: Tokenizer | undefined;
  tokenizerFiles(): Promise<TokenizerFiles | undefined>;
  session(options?: SessionOptions): ChatSession | Promise<ChatSession>;
}

interface ChatSession {
  generate(
    prompt?: string | TokenIds,
    options?: GenerateOptions,
  ): AsyncGenerator<GeneratedToken, Generation, void>;
  dispose(): void;
}

export interface ChatOptions {
  /** The conversation so far, such as a message of the system. Default: none. */
  messages?: readonly ChatMessage[];
  /** The Jinja template of the conversation. Default: the one in the model's files. */
  template?: string;
  /** Options of the chat's session. */
  session?: SessionOptions;
}

/** A conversation, of which each text is read once (`Session`). Tools are not supported. */
export interface Chat {
  /** Copies of the messages so far. Assign a list to go back, or to begin anew. */
  get messages(): ChatMessage[];
  set messages(messages: readonly ChatMessage[]);
  /** The text that the template makes of the messages, up to where an answer begins. */
  readonly prompt: string;
  /**
   * Says a text and generates the answer, which ends at the model's end tokens, or before the mark
   * that the template puts after an answer. Other options are those of `model.generate`. At the end
   * `messages` has both texts; after an abort, an error or a `break` the part of the answer that
   * has been yielded, or neither text if that is nothing. Errors: as `session.generate`;
   * `unsupported` for messages that the template refuses.
   */
  say(text: string, options?: GenerateOptions): AsyncGenerator<GeneratedToken, Generation, void>;
  /** Frees the session. */
  dispose(): void;
}
