/**
 * Claude's thoughts, which must be sent back with the results of its calls. They are signed, so the
 * API refuses a request that omits, changes or moves them. The house does not read them.
 */
import type { RedactedThinkingBlockParam, ThinkingBlockParam } from "@anthropic-ai/sdk/resources/messages";
import type { VendorData } from "@hearth/protocol";
import { asArray, asCount, asObject, asText, parseJson } from "./json.ts";

export type ReasoningBlock = ThinkingBlockParam | RedactedThinkingBlockParam;

/** A thought, with the length of the text and the number of calls before it. */
export interface PlacedReasoning {
  readonly afterText: number;
  readonly afterCalls: number;
  readonly thought: ReasoningBlock;
}

export const sealReasoning = (wire: string, thoughts: readonly PlacedReasoning[]): VendorData | undefined =>
  thoughts.length === 0 ? undefined : { wire, data: JSON.stringify(thoughts) };

/**
 * Reads thoughts from vendor data. Vendor data has passed through a cell and is untrusted, so only
 * the fields of thoughts are kept.
 */
export const openReasoning = (vendor: VendorData | undefined): readonly PlacedReasoning[] =>
  asArray(parseJson(vendor?.data ?? "")).flatMap((entry) => {
    const placed = asObject(entry);
    const thought = toReasoningBlock(placed?.["thought"]);
    if (thought === undefined) return [];
    return [{ afterText: asCount(placed?.["afterText"]), afterCalls: asCount(placed?.["afterCalls"]), thought }];
  });

const toReasoningBlock = (value: unknown): ReasoningBlock | undefined => {
  const block = asObject(value);
  const thinking = asText(block?.["thinking"]);
  const signature = asText(block?.["signature"]);
  const data = asText(block?.["data"]);
  if (block?.["type"] === "redacted_thinking" && data !== undefined) return { type: "redacted_thinking", data };
  if (block?.["type"] !== "thinking" || thinking === undefined || signature === undefined) return undefined;
  return { type: "thinking", thinking, signature };
};
