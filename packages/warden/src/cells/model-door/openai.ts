/** Implements OpenAI's chat completions API for programs in a cell. */
import type { StopReason, ToolCall, Usage } from "@hearth/protocol";
import { readOpenAIRequest } from "./openai-request.ts";
import { type Heading, type VendorApi, toEvent, type Writer } from "./vendor-api.ts";

export const openai: VendorApi = {
  read(body) {
    const { wantsUsage, ...parsed } = readOpenAIRequest(body);
    return { ...parsed, createWriter: (heading) => createWriter(heading, wantsUsage) };
  },
  failure: ({ code, message, hint }, status) => ({
    error: {
      message: hint === undefined ? message : `${message} ${hint}`,
      type: status === 429 ? "rate_limit_error" : status < 500 ? "invalid_request_error" : "server_error",
      param: null,
      code: code === "provider.context-overflow" ? "context_length_exceeded" : code,
    },
  }),
};

const createWriter = (heading: Heading, wantsUsage: boolean): Writer => {
  const base = { id: `chatcmpl-${heading.id}`, created: Math.floor(heading.at / 1000), model: heading.model };
  const chunk = (choices: readonly object[], fields: object = {}): string =>
    toEvent({ ...base, object: "chat.completion.chunk", choices, ...fields });
  const delta = (fields: object, finish: string | null = null): string =>
    chunk([{ index: 0, delta: fields, logprobs: null, finish_reason: finish }]);

  return {
    whole({ message: { text, toolCalls }, stopReason, usage }) {
      const calls = toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(toCall) };
      const message = { role: "assistant", content: text === "" ? null : text, refusal: null, ...calls };
      const choice = { index: 0, message, logprobs: null, finish_reason: FINISHES[stopReason] };
      return { ...base, object: "chat.completion", choices: [choice], usage: toUsage(usage) };
    },
    start: () => delta({ role: "assistant", content: "" }),
    text: (piece) => delta({ content: piece }),
    end: ({ message: { toolCalls }, stopReason, usage }) =>
      [
        ...toolCalls.map((call, index) => delta({ tool_calls: [{ index, ...toCall(call) }] })),
        delta({}, FINISHES[stopReason]),
        wantsUsage ? chunk([], { usage: toUsage(usage) }) : "",
        "data: [DONE]\n\n",
      ].join(""),
    failure: (error, status) => toEvent(openai.failure(error, status)),
    silence: () => ": nothing yet\n\n",
  };
};

const FINISHES: Readonly<Record<StopReason, string>> = {
  end: "stop",
  "tool-calls": "tool_calls",
  length: "length",
  refusal: "content_filter",
};

const toCall = ({ id, name, input, unreadable }: ToolCall) => ({
  id,
  type: "function",
  function: { name, arguments: unreadable ?? JSON.stringify(input) },
});

/** This API includes cached tokens in the number of input tokens. */
const toUsage = ({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage) => {
  const prompt = inputTokens + cacheReadTokens + cacheWriteTokens;
  return {
    prompt_tokens: prompt,
    completion_tokens: outputTokens,
    total_tokens: prompt + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
  };
};
