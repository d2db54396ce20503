/** Implements Anthropic's Messages API for programs in a cell. */
import type { StopReason, ToolCall, Usage } from "@hearth/protocol";
import { readAnthropicRequest } from "./anthropic-request.ts";
import { type Ending, type Heading, type VendorApi, toEvent, type Writer } from "./vendor-api.ts";

export const anthropic: VendorApi = {
  read: (body) => ({ ...readAnthropicRequest(body), createWriter }),
  failure: ({ message, hint }, status) => ({
    type: "error",
    error: { type: typeOf(status), message: hint === undefined ? message : `${message} ${hint}` },
  }),
};

const createWriter = (heading: Heading): Writer => {
  let hasText = false;
  const event = (type: string, fields: object): string => toEvent({ type, ...fields }, type);
  const writeCall = ({ id, name, input }: ToolCall, index: number): string =>
    event("content_block_start", { index, content_block: { type: "tool_use", id, name, input: {} } }) +
    event("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: JSON.stringify(input) } }) +
    event("content_block_stop", { index });

  return {
    whole: (ending) => ({
      ...toMessage(heading),
      content: [
        ...(ending.message.text === "" ? [] : [{ type: "text", text: ending.message.text }]),
        ...ending.message.toolCalls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
      ],
      ...toStop(ending),
      usage: toUsage(ending.usage),
    }),
    start: () =>
      event("message_start", {
        message: { ...toMessage(heading), content: [], ...NO_STOP, usage: { input_tokens: 0, output_tokens: 0 } },
      }),
    text(text) {
      const blockStart = hasText
        ? ""
        : event("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
      hasText = true;
      return blockStart + event("content_block_delta", { index: 0, delta: { type: "text_delta", text } });
    },
    end(ending) {
      const firstIndex = hasText ? 1 : 0;
      return [
        hasText ? event("content_block_stop", { index: 0 }) : "",
        ...ending.message.toolCalls.map((call, index) => writeCall(call, firstIndex + index)),
        event("message_delta", { delta: toStop(ending), usage: toUsage(ending.usage) }),
        event("message_stop", {}),
      ].join("");
    },
    failure: (error, status) => toEvent(anthropic.failure(error, status), "error"),
    silence: () => event("ping", {}),
  };
};

const toMessage = ({ id, model }: Heading) => ({ id: `msg_${id}`, type: "message", role: "assistant", model });

const NO_STOP = { stop_reason: null, stop_sequence: null } as const;
const STOPS: Readonly<Record<StopReason, string>> = {
  end: "end_turn",
  "tool-calls": "tool_use",
  length: "max_tokens",
  refusal: "refusal",
};
const toStop = ({ stopReason }: Ending) => ({ ...NO_STOP, stop_reason: STOPS[stopReason] });

const toUsage = ({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage) => ({
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  cache_read_input_tokens: cacheReadTokens,
  cache_creation_input_tokens: cacheWriteTokens,
});

const TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  403: "permission_error",
  404: "not_found_error",
  405: "invalid_request_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
};
const typeOf = (status: number): string => TYPES[status] ?? "api_error";
