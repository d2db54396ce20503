/**
 * Converts a request for Anthropic's Messages API. Pure: the same conversation always gives the
 * same bytes.
 */
import type {
  DocumentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import {
  type AssistantMessage,
  dataOf,
  type ModelMessage,
  type ModelRequest,
  type Part,
  sentImageType,
  type SystemPart,
  type ToolCall,
  type ToolMessage,
  type ToolOffer,
} from "@hearth/protocol";
import { openReasoning, type ReasoningBlock } from "./anthropic-reasoning.ts";
import { prepareRequest } from "../resilience/prepare.ts";

type Block =
  | TextBlockParam
  | ImageBlockParam
  | DocumentBlockParam
  | ToolUseBlockParam
  | ToolResultBlockParam
  | ReasoningBlock;
interface Turn {
  readonly role: "user" | "assistant";
  readonly content: Block[];
}

const CALL_ID = /^[\w-]{1,64}$/;
/**
 * The vendor may cache everything up to this mark. A request may have four marks: tools, stable
 * system prompt, last reply, end.
 */
const CACHE_MARK = { cache_control: { type: "ephemeral" } } as const;

export const toAnthropic = (raw: ModelRequest, wire: string): MessageCreateParamsStreaming => {
  const request = prepareRequest(raw, { wire, callId: CALL_ID });
  const system = toSystem(request.system);
  const tools = toTools(request);
  return {
    model: request.model,
    max_tokens: request.maxOutputTokens,
    stream: true,
    messages: toMessages(request.messages),
    ...(system.length === 0 ? {} : { system }),
    ...(tools.length === 0 ? {} : { tools }),
    ...(tools.length > 0 && (request.tools.length === 0 || request.toolUse === "forbidden")
      ? { tool_choice: { type: "none" } }
      : {}),
  };
};

const isBlank = (text: string): boolean => text.trim() === "";

const toSystem = (parts: readonly SystemPart[]): TextBlockParam[] => {
  const visibleParts = parts.filter((part) => !isBlank(part.text));
  const lastStable = visibleParts.findLastIndex((part) => part.stable);
  return visibleParts.map(({ text }, index) => ({ type: "text", text, ...(index === lastStable ? CACHE_MARK : {}) }));
};

const toTools = ({ tools, messages }: ModelRequest): Tool[] => {
  const offers = tools.length > 0 ? tools : toolsOf(messages);
  return offers.map(({ name, description, inputSchema }, index) => ({
    name,
    ...(isBlank(description) ? {} : { description }),
    input_schema: { ...inputSchema, type: "object" },
    ...(index === offers.length - 1 ? CACHE_MARK : {}),
  }));
};

/**
 * Returns the tools that a conversation used, by name only. The API requires them if the history
 * contains calls.
 */
const toolsOf = (messages: readonly ModelMessage[]): readonly ToolOffer[] => {
  const names = new Set(
    messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls.map((call) => call.name) : [])),
  );
  return [...names].map((name) => ({ name, description: "", inputSchema: {} }));
};

/**
 * Converts messages, so that they alternate between both roles and begin with the user. Blank text
 * is left out, because the API refuses it. Text after the last reply changes from turn to turn, so
 * the cache mark is at the last reply.
 */
const toMessages = (messages: readonly ModelMessage[]): MessageParam[] => {
  const turns: Turn[] = [];
  const lastReply = messages.findLastIndex(isReply);
  for (const [index, message] of messages.entries()) {
    const content = index === lastReply ? withCacheMark(toBlocks(message)) : toBlocks(message);
    const role = message.role === "assistant" ? "assistant" : "user";
    const lastTurn = turns.at(-1);
    if (content.length === 0) continue;
    if (lastTurn?.role === role) lastTurn.content.push(...content);
    else turns.push({ role, content });
  }
  if (turns[0]?.role === "assistant")
    turns.unshift({ role: "user", content: [toTextBlock("(The conversation goes on.)")] });
  const lastTurn = turns.pop();
  return lastTurn === undefined ? turns : [...turns, { ...lastTurn, content: withCacheMark(lastTurn.content) }];
};

const isReply = (message: ModelMessage): boolean => message.role === "assistant" && message.toolCalls.length === 0;

const withCacheMark = (blocks: readonly Block[]): Block[] => {
  const lastBlock = blocks.at(-1);
  return lastBlock === undefined ? [] : [...blocks.slice(0, -1), { ...lastBlock, ...CACHE_MARK }];
};

const toTextBlock = (text: string): TextBlockParam => ({ type: "text", text });

const toBlocks = (message: ModelMessage): Block[] => {
  switch (message.role) {
    case "user":
      return [
        toTextBlock(isBlank(message.text) ? "(An empty message.)" : message.text),
        ...(message.parts ?? []).flatMap(toContent),
      ];
    case "assistant":
      return toAssistantBlocks(message);
    case "tool":
      return [
        {
          type: "tool_result",
          tool_use_id: message.call,
          content: toResult(message),
          ...(message.failed ? { is_error: true } : {}),
        },
      ];
  }
};

const toResult = ({ text, parts = [] }: ToolMessage): NonNullable<ToolResultBlockParam["content"]> => {
  const visibleText = isBlank(text) ? "(no output)" : text;
  return parts.length === 0 ? visibleText : [toTextBlock(visibleText), ...parts.flatMap(toContent)];
};

/** Returns the content of a part. A text without visible characters has none, because the API refuses it. */
const toContent = (part: Part): readonly (TextBlockParam | ImageBlockParam | DocumentBlockParam)[] => {
  if (part.kind === "text") return isBlank(part.text) ? [] : [toTextBlock(part.text)];
  const data = dataOf(part);
  const type = sentImageType(part.type);
  if (data === undefined) return [];
  if (type !== undefined) return [{ type: "image", source: { type: "base64", media_type: type, data } }];
  if (part.kind !== "document") return [];
  const source = { type: "base64", media_type: "application/pdf", data } as const;
  return [{ type: "document", title: part.name, source }];
};

/** Returns the text, then the calls, with every thought at its position among them. */
const toAssistantBlocks = ({ text, toolCalls, vendor }: AssistantMessage): Block[] => {
  const blocks: Block[] = [];
  let sentLength = 0;
  let sentCalls = 0;
  const addUntil = (textEnd: number, callsEnd: number): void => {
    const piece = text.slice(sentLength, textEnd);
    if (!isBlank(piece)) blocks.push(toTextBlock(piece));
    blocks.push(...toolCalls.slice(sentCalls, callsEnd).map(toUse));
    sentLength = textEnd;
    sentCalls = callsEnd;
  };
  for (const { afterText, afterCalls, thought } of openReasoning(vendor)) {
    addUntil(afterText, afterCalls);
    blocks.push(thought);
  }
  addUntil(text.length, toolCalls.length);
  return blocks;
};

const toUse = ({ id, name, input }: ToolCall): ToolUseBlockParam => ({ type: "tool_use", id, name, input });
