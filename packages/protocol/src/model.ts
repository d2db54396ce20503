/** How the house speaks of a language model. Vendors' shapes stay in `providers/`. */
import { z } from "zod";
import type { ErrorBody } from "./error.ts";

const Count = z.int().nonnegative();
/** Tokens, as the provider reports them; 0 where it reports none. */
export const Usage = z.object({
  inputTokens: Count,
  outputTokens: Count,
  cacheReadTokens: Count,
  cacheWriteTokens: Count,
});
export type Usage = z.infer<typeof Usage>;

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

export const addUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
  cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
});

/** Longest `ToolCall.unreadable`, in UTF-16 code units. What is longer loses its end. */
export const MAX_UNREADABLE = 2000;
/** One call that a model asks for. `input` is what the model wrote, an object, not yet checked against the tool's schema. */
export const ToolCall = z.object({
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.json()),
  /**
   * What the model wrote in place of a JSON object; `input` is `{}` then. Such a call is never run: the model is told, and
   * may call again. To a vendor it goes back without these words.
   */
  unreadable: z.string().max(MAX_UNREADABLE).exactOptional(),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** `note` is the house's word on the message (who wrote it, when); the author wrote only `text`. */
export const UserMessage = z.object({ role: z.literal("user"), text: z.string(), note: z.string().exactOptional() });
/** Longest `VendorData.data`, in UTF-16 code units. What is longer is left out whole, never cut. */
export const MAX_VENDOR_DATA = 256 * 1024;
/**
 * What a vendor wants back untouched along with the results of the tool calls: signed thoughts, mostly. Only the wire that
 * wrote it understands it; to everybody else it is sealed, and no person is shown it.
 */
export const VendorData = z.object({ wire: z.string().max(300), data: z.string().max(MAX_VENDOR_DATA) });
export type VendorData = z.infer<typeof VendorData>;

export const AssistantMessage = z.object({
  role: z.literal("assistant"),
  text: z.string(),
  toolCalls: z.array(ToolCall),
  /** Only with tool calls, and only while the activation that made them runs. */
  vendor: VendorData.exactOptional(),
});
export const ToolMessage = z.object({
  role: z.literal("tool"),
  /** The `ToolCall.id` that this answers. */
  call: z.string(),
  name: z.string(),
  text: z.string(),
  failed: z.boolean(),
});
/** Well formed: every tool call of an assistant message is answered by exactly one tool message right after it. */
export const ModelMessage = z.discriminatedUnion("role", [UserMessage, AssistantMessage, ToolMessage]);
export type UserMessage = z.infer<typeof UserMessage>;
export type AssistantMessage = z.infer<typeof AssistantMessage>;
export type ToolMessage = z.infer<typeof ToolMessage>;
export type ModelMessage = z.infer<typeof ModelMessage>;

/** A user message as a model reads it. */
export const userText = (message: UserMessage): string =>
  message.note === undefined ? message.text : `[${message.note}]\n${message.text}`;

/** A piece of the system prompt. `stable` pieces come first and are byte-identical across a conversation, so they cache. */
export const SystemPart = z.object({ text: z.string(), stable: z.boolean() });
export type SystemPart = z.infer<typeof SystemPart>;

/** What a model is told of a tool. */
export interface ToolOffer {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input, an object. */
  readonly inputSchema: { readonly [key: string]: unknown };
}

export interface ModelRequest {
  /** The vendor's own name of the model, without the provider's. */
  readonly model: string;
  readonly system: readonly SystemPart[];
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolOffer[];
  /** `forbidden`: tools are described, because the history has calls of them, but none may be called. */
  readonly toolUse: "allowed" | "forbidden";
  readonly maxOutputTokens: number;
}

export type StopReason = "end" | "tool-calls" | "length" | "refusal";

/** What comes back, in order: any number of `text-delta`, then exactly one `end` or `error`. */
export type ModelEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "end"; readonly message: AssistantMessage; readonly stopReason: StopReason; readonly usage: Usage }
  | { readonly type: "error"; readonly error: ErrorBody; readonly retryAfterMs?: number };
