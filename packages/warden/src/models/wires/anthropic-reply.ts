/**
 * Parses Anthropic's event stream. An answer is complete only after `message_stop`, and a tool call
 * only after its block's end.
 */
import type { ModelEvent, ModelRequest, StopReason, Usage } from "@hearth/protocol";
import { type PlacedReasoning, sealReasoning } from "./anthropic-reasoning.ts";
import { type UsageMeter, toEvent } from "./call.ts";
import { readVendorError } from "./vendor-error.ts";
import { describeVendorError, malformedError, type Peer } from "../resilience/failure.ts";
import { asCount, asObject, asText, type JsonObject, parseJson } from "./json.ts";
import { createReply, type RawCall } from "./reply.ts";
import type { ServerEvent } from "./sse.ts";

interface Block {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  input: string;
  thinking: string;
  signature: string;
  readonly data: string;
  /** Length of the text before the block. */
  readonly afterText: number;
  isOpen: boolean;
}

export const readAnthropic = async function* (
  events: AsyncIterable<ServerEvent>,
  meter: UsageMeter,
  request: ModelRequest,
  peer: Peer,
  wire: string,
): AsyncGenerator<ModelEvent> {
  const reply = createReply(request);
  const blocks = createBlocks();
  let textLength = 0;
  let usage: JsonObject = {};
  let stopReason: StopReason | undefined;
  const readOutput = (piece: unknown): string => {
    const text = asText(piece) ?? "";
    meter.addOutput(text);
    return text;
  };
  const addText = (piece: string): readonly ModelEvent[] => {
    textLength += piece.length;
    return reply.text(piece);
  };

  for await (const { event, data } of events) {
    const body = asObject(parseJson(data));
    if (body === undefined) throw malformedError(`An event "${event}" of the answer is not JSON.`);
    switch (body["type"]) {
      case "message_start":
        usage = asObject(asObject(body["message"])?.["usage"]) ?? {};
        meter.setUsage(toUsage(usage));
        break;
      case "content_block_start": {
        const block = asObject(body["content_block"]) ?? {};
        blocks.begin(body["index"], block, textLength);
        if (block["type"] === "text") yield* addText(asText(block["text"]) ?? "");
        break;
      }
      case "content_block_delta": {
        const block = blocks.findOpen(body["index"]);
        const delta = asObject(body["delta"]) ?? {};
        if (delta["type"] === "text_delta") yield* addText(asText(delta["text"]) ?? "");
        else if (delta["type"] === "input_json_delta") block.input += readOutput(delta["partial_json"]);
        else if (delta["type"] === "thinking_delta") block.thinking += readOutput(delta["thinking"]);
        else if (delta["type"] === "signature_delta") block.signature = asText(delta["signature"]) ?? "";
        break;
      }
      case "content_block_stop":
        blocks.findOpen(body["index"]).isOpen = false;
        break;
      case "message_delta":
        usage = { ...usage, ...withoutNulls(asObject(body["usage"]) ?? {}) };
        meter.setUsage(toUsage(usage));
        stopReason = toStopReason(asObject(body["delta"])?.["stop_reason"]) ?? stopReason;
        break;
      case "message_stop":
        yield* reply.end({
          stop: requireComplete(stopReason, blocks.list()),
          calls: toCalls(blocks.list()),
          usage: toUsage(usage),
          vendor: sealReasoning(wire, toPlacedReasoning(blocks.list())),
        });
        return;
      case "error":
        yield toEvent(describeVendorError(readVendorError(undefined, body), undefined, peer));
        return;
      default:
        // `ping`, and event types added later.
        break;
    }
  }
};

/** Returns the stop reason of a whole answer. Throws if the answer ended early. */
const requireComplete = (stopReason: StopReason | undefined, blocks: readonly Block[]): StopReason => {
  if (stopReason === undefined) throw malformedError("The answer ended without a stop reason.");
  if (blocks.some((block) => block.isOpen)) throw malformedError("The answer ended in the middle of a block.");
  return stopReason;
};

/** Keeps the blocks of an answer, in the order of arrival. */
const createBlocks = () => {
  const blocks = new Map<unknown, Block>();
  return {
    begin(index: unknown, block: JsonObject, afterText: number): void {
      blocks.set(index, {
        type: asText(block["type"]) ?? "",
        id: asText(block["id"]) ?? "",
        name: asText(block["name"]) ?? "",
        input: "",
        thinking: asText(block["thinking"]) ?? "",
        signature: asText(block["signature"]) ?? "",
        data: asText(block["data"]) ?? "",
        afterText,
        isOpen: true,
      });
    },
    /** Returns the open block with this index. */
    findOpen(index: unknown): Block {
      const block = blocks.get(index);
      if (block?.isOpen !== true) throw malformedError("The answer continues a block that is not open.");
      return block;
    },
    list: (): readonly Block[] => [...blocks.values()],
  };
};

const toCalls = (blocks: readonly Block[]): readonly RawCall[] => blocks.filter(({ type }) => type === "tool_use");

/**
 * Returns the reasoning in the order of arrival. Each part has its position, because its signature
 * is valid only there.
 */
const toPlacedReasoning = (blocks: readonly Block[]): readonly PlacedReasoning[] => {
  const thoughts: PlacedReasoning[] = [];
  let afterCalls = 0;
  for (const { type, thinking, signature, data, afterText } of blocks) {
    if (type === "tool_use") afterCalls += 1;
    else if (type === "thinking") thoughts.push({ afterText, afterCalls, thought: { type, thinking, signature } });
    else if (type === "redacted_thinking") thoughts.push({ afterText, afterCalls, thought: { type, data } });
  }
  return thoughts;
};

/**
 * Removes fields without a count, so that they keep the count of an earlier report. Counts are
 * cumulative.
 */
const withoutNulls = (usage: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== null));

const toUsage = (usage: JsonObject): Usage => ({
  inputTokens: asCount(usage["input_tokens"]),
  outputTokens: asCount(usage["output_tokens"]),
  cacheReadTokens: asCount(usage["cache_read_input_tokens"]),
  cacheWriteTokens: asCount(usage["cache_creation_input_tokens"]),
});

const toStopReason = (reason: unknown): StopReason | undefined => {
  switch (reason) {
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "refusal":
      return "refusal";
    case "tool_use":
      return "tool-calls";
    default:
      return typeof reason === "string" ? "end" : undefined;
  }
};
