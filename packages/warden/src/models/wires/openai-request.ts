/**
 * Converts a request to chat completions. Pure: the same conversation always gives the same bytes.
 */
import type {
  ChatCompletionContentPart,
  ChatCompletionContentPartText,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import {
  type AssistantMessage,
  dataOf,
  type FileKind,
  type ModelMessage,
  type ModelRequest,
  type Part,
  sentAudioFormat,
  sentImageType,
  textsOf,
  type ToolCall,
  type ToolMessage,
  type UserMessage,
} from "@hearth/protocol";
import type { JsonObject } from "./json.ts";
import { readReasoning } from "./openai-reasoning.ts";
import { type Destination, prepareRequest } from "../resilience/prepare.ts";
import { hostOf } from "./wire.ts";

/** Differences between the servers that speak this wire. */
export interface ChatTraits extends Destination {
  /** The vendor's newer models refuse `max_tokens`. Most other servers accept only that field. */
  readonly maxTokensField: "max_completion_tokens" | "max_tokens";
  /** Whether usage has to be requested. Servers that refuse the option report it always. */
  readonly asksForUsage: boolean;
  /** The kinds of files that the server takes inside a message. */
  readonly carries: readonly FileKind[];
}

export const traitsOf = (baseUrl: string): ChatTraits => {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
  const isOpenAI = /(^|\.)(openai\.com|openai\.azure\.com)$/.test(host);
  const isMistral = /(^|\.)mistral\.ai$/.test(host);
  return {
    // With the host, because this wire has many vendors.
    wire: `openai ${hostOf(baseUrl)}`,
    maxTokensField: isOpenAI ? "max_completion_tokens" : "max_tokens",
    asksForUsage: !isMistral,
    carries: carriedBy(host, isOpenAI),
    callId: isMistral ? /^[a-zA-Z0-9]{9}$/ : /^[\w-]{1,40}$/,
  };
};

/** Returns the kinds of files that a server takes. Most other servers accept pictures at most. */
const carriedBy = (host: string, isOpenAI: boolean): readonly FileKind[] => {
  if (isOpenAI || host === "openrouter.ai") return ["image", "document", "audio"];
  return host === "generativelanguage.googleapis.com" ? ["image", "audio"] : ["image"];
};

export const toOpenAI = (raw: ModelRequest, traits: ChatTraits): ChatCompletionCreateParamsStreaming => {
  const request = prepareRequest(raw, traits);
  return {
    model: request.model,
    messages: [...toSystem(request), ...toMessages(request.messages)],
    stream: true,
    [traits.maxTokensField]: request.maxOutputTokens,
    ...(traits.asksForUsage ? { stream_options: { include_usage: true } } : {}),
    // The API refuses an empty list.
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toTool) }),
    ...(request.tools.length > 0 && request.toolUse === "forbidden" ? { tool_choice: "none" } : {}),
  };
};

const isBlank = (text: string): boolean => text.trim() === "";

/** Returns one message, because some local models accept only one, at the start. */
const toSystem = ({ system }: ModelRequest): ChatCompletionMessageParam[] => {
  const visibleTexts = system.filter((part) => !isBlank(part.text)).map((part) => part.text);
  return visibleTexts.length === 0 ? [] : [{ role: "system", content: visibleTexts.join("\n\n") }];
};

const toTool = ({ name, description, inputSchema }: ModelRequest["tools"][number]): ChatCompletionFunctionTool => ({
  type: "function",
  function: { name, description, parameters: { ...inputSchema, type: "object" } },
});

/**
 * Converts messages. Chat templates of local models require alternating turns, so adjacent messages
 * of one role are merged.
 */
const toMessages = (messages: readonly ModelMessage[]): ChatCompletionMessageParam[] => {
  const turns: ModelMessage[] = [];
  for (const message of messages) {
    const previous = turns.at(-1);
    if (message.role === "assistant" && message.toolCalls.length === 0 && isBlank(message.text)) continue;
    if (message.role !== "user" || previous?.role !== "user") turns.push(message);
    else turns[turns.length - 1] = mergeUserMessages(previous, message);
  }
  return turns.flatMap((message, index) => {
    const nextTurn = turns[index + 1];
    // All results of a round come first: the API allows nothing between them.
    if (message.role !== "tool" || nextTurn?.role === "tool") return [toMessage(message)];
    return [toMessage(message), ...toResultFiles(turns, index)];
  });
};

/** Returns one message with the content of both, in order. */
const mergeUserMessages = (first: UserMessage, second: UserMessage): UserMessage => {
  if (first.parts === undefined) {
    const text = `${first.text}\n\n${second.text}`;
    return second.parts === undefined ? { role: "user", text } : { role: "user", text, parts: second.parts };
  }
  return {
    role: "user",
    text: first.text,
    parts: [...first.parts, { kind: "text", text: second.text }, ...(second.parts ?? [])],
  };
};

/** Returns a user message with the files of a round, because a tool result can contain only text. */
const toResultFiles = (turns: readonly ModelMessage[], lastIndex: number): ChatCompletionMessageParam[] => {
  const firstIndex = turns.findLastIndex(({ role }, index) => index <= lastIndex && role !== "tool") + 1;
  const content = turns
    .slice(firstIndex, lastIndex + 1)
    .flatMap((message) => (message.role === "tool" ? (message.parts ?? []).flatMap(toFile) : []));
  return content.length === 0 ? [] : [{ role: "user", content }];
};

/** Returns the texts of a message and of its parts. */
const toWholeText = ({ text, parts }: UserMessage | ToolMessage): string => [text, ...textsOf(parts)].join("\n\n");

const toMessage = (message: ModelMessage): ChatCompletionMessageParam => {
  switch (message.role) {
    case "user":
      return { role: "user", content: toContent(message) };
    case "tool":
      return { role: "tool", tool_call_id: message.call, content: toWholeText(message) };
    case "assistant":
      return toAnswer(message);
  }
};

/** Returns the content. Text alone is sent as a string, because some servers accept only strings. */
const toContent = (message: UserMessage): string | ChatCompletionContentPart[] => {
  const { text, parts = [] } = message;
  if (parts.every(({ kind }) => kind === "text")) return toWholeText(message);
  return [
    { type: "text", text },
    ...parts.flatMap((part) => (part.kind === "text" ? { type: "text" as const, text: part.text } : toFile(part))),
  ];
};

const toFile = (part: Part): readonly ChatCompletionContentPart[] => {
  const data = part.kind === "text" ? undefined : dataOf(part);
  if (part.kind === "text" || data === undefined) return [];
  switch (part.kind) {
    case "image":
      return [
        { type: "image_url", image_url: { url: `data:${sentImageType(part.type) ?? part.type};base64,${data}` } },
      ];
    case "document":
      return [{ type: "file", file: { filename: part.name, file_data: `data:${part.type};base64,${data}` } }];
    case "audio":
      return [{ type: "input_audio", input_audio: { data, format: sentAudioFormat(part.type) ?? "mp3" } }];
    case "file":
      return [];
  }
};

const toAnswer = ({ text, toolCalls, vendor }: AssistantMessage): ChatCompletionMessageParam => {
  const { message, extras, thinking } = readReasoning(vendor);
  return {
    role: "assistant",
    content: thinking === undefined ? (isBlank(text) ? null : text) : toChunks(thinking, text),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map((call, index) => toCall(call, extras[index])) }),
    ...message,
  };
};

/** Thoughts inside `content` come first; the SDK's types do not have such a chunk. */
const toChunks = (thinking: string, text: string): ChatCompletionContentPartText[] => {
  const thought = { type: "thinking", thinking: [{ type: "text", text: thinking }] };
  return [thought as never, ...(isBlank(text) ? [] : [{ type: "text" as const, text }])];
};

const toCall = (
  { id, name, input }: ToolCall,
  extra: JsonObject | undefined,
): ChatCompletionMessageFunctionToolCall => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(input) },
  ...(extra === undefined ? {} : { extra_content: extra }),
});
