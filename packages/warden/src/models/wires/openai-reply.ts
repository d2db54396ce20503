/**
 * Parses a stream of chat completion chunks. An answer is complete after a `finish_reason`. Some
 * servers then send the usage and `[DONE]`.
 */
import { isHearthError, type ModelEvent, type ModelRequest, type StopReason, type Usage } from "@hearth/protocol";
import { type UsageMeter, toEvent } from "./call.ts";
import { readVendorError } from "./vendor-error.ts";
import { describeVendorError, malformedError, type Peer } from "../resilience/failure.ts";
import { asArray, asCount, asObject, asText, type JsonObject, parseJson } from "./json.ts";
import { createToolCalls } from "./openai-calls.ts";
import { createReasoningReader, textOf } from "./openai-reasoning.ts";
import { createReply } from "./reply.ts";
import type { ServerEvent } from "./sse.ts";

export const readOpenAI = async function* (
  events: AsyncIterable<ServerEvent>,
  meter: UsageMeter,
  request: ModelRequest,
  peer: Peer,
  wire: string,
): AsyncGenerator<ModelEvent> {
  const reply = createReply(request);
  const calls = createToolCalls();
  const thoughts = createReasoningReader();
  let usage: JsonObject = {};
  let stopReason: StopReason | undefined;
  let isRefused = false;

  for await (const { data } of untilBroken(events, () => stopReason !== undefined)) {
    if (data.trim() === "[DONE]") break;
    const chunk = asObject(parseJson(data));
    if (chunk === undefined) throw malformedError("A chunk of the answer is not JSON.");
    const choice = asArray(chunk["choices"])
      .map(asObject)
      .find((choice) => asCount(choice?.["index"]) === 0);
    if (chunk["error"] !== undefined && chunk["error"] !== null) {
      yield toEvent(describeVendorError(readVendorError(undefined, chunk), undefined, peer));
      return;
    }
    const reportedUsage = asObject(chunk["usage"]);
    if (reportedUsage !== undefined) {
      usage = reportedUsage;
      meter.setUsage(toUsage(usage));
    }
    if (choice === undefined) continue;
    const delta = asObject(choice["delta"]) ?? {};
    meter.addOutput(thoughts.add(delta));
    yield* reply.text(textOf(delta["content"]));
    const refusal = asText(delta["refusal"]) ?? "";
    isRefused ||= refusal !== "";
    yield* reply.text(refusal);
    for (const part of asArray(delta["tool_calls"])) meter.addOutput(calls.add(asObject(part) ?? {}));
    stopReason = toStopReason(choice["finish_reason"]) ?? stopReason;
  }
  if (stopReason === undefined) return;
  yield* reply.end({
    stop: isRefused ? "refusal" : stopReason,
    calls: calls.all(),
    usage: toUsage(usage),
    vendor: thoughts.seal(
      wire,
      calls.all().map((call) => call.extra),
    ),
  });
};

/**
 * Yields the events. Ends without an error if the connection breaks after the answer is complete,
 * because only the usage is lost.
 */
const untilBroken = async function* (
  events: AsyncIterable<ServerEvent>,
  isComplete: () => boolean,
): AsyncGenerator<ServerEvent> {
  try {
    yield* events;
  } catch (error) {
    if (!isComplete() || !isHearthError(error, "provider.truncated")) throw error;
  }
};

/** Converts the usage. The house counts cached input separately; this wire includes it in the input. */
const toUsage = (usage: JsonObject): Usage => {
  const details = asObject(usage["prompt_tokens_details"]);
  const cacheReadTokens = asCount(details?.["cached_tokens"]);
  const cacheWriteTokens = asCount(details?.["cache_write_tokens"]);
  return {
    inputTokens: Math.max(0, asCount(usage["prompt_tokens"]) - cacheReadTokens - cacheWriteTokens),
    outputTokens: asCount(usage["completion_tokens"]),
    cacheReadTokens,
    cacheWriteTokens,
  };
};

const toStopReason = (reason: unknown): StopReason | undefined => {
  switch (reason) {
    case "length":
      return "length";
    case "content_filter":
      return "refusal";
    case "tool_calls":
      return "tool-calls";
    default:
      // Some servers send an empty reason in every chunk except the last.
      return typeof reason === "string" && reason !== "" ? "end" : undefined;
  }
};
