/** Converts a request of OpenAI's chat completions to a model request. */
import { asObject, parseJson } from "../../models/index.ts";
import { MAX_UNREADABLE, type ModelRequest, type ToolCall } from "@hearth/protocol";
import { z } from "zod";
import { type Conversation, createConversation } from "./conversation.ts";
import { invalidRequestError, MaxTokens, onlyOf, readFields, type Rules } from "./fields.ts";
import { DEFAULT_OUTPUT_TOKENS } from "./vendor-api.ts";

const TextContent = z.union([
  z.string(),
  z.array(z.discriminatedUnion("type", [z.object({ type: z.literal("text"), text: z.string() })], onlyOf("text"))),
]);
const Call = z.object({
  type: z.literal("function", "only function can be passed on"),
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const RequestMessage = z.discriminatedUnion(
  "role",
  [
    z.object({ role: z.enum(["system", "developer"]), content: TextContent }),
    z.object({ role: z.literal("user"), content: TextContent }),
    z.object({
      role: z.literal("assistant"),
      content: TextContent.nullish(),
      tool_calls: z.array(Call).nullish(),
      refusal: z.string().nullish(),
      function_call: z.null("cannot be passed on: it has been `tool_calls` for long").optional(),
    }),
    z.object({ role: z.literal("tool"), tool_call_id: z.string(), content: TextContent }),
  ],
  onlyOf("system", "developer", "user", "assistant", "tool"),
);
type RequestMessage = z.infer<typeof RequestMessage>;

const Offer = z.object({
  type: z.literal("function", "only function can be passed on"),
  function: z.object({
    name: z.string(),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
  }),
});

const rules = {
  supported: z.object({
    messages: z.array(RequestMessage),
    tools: z.array(Offer).optional(),
    tool_choice: z.enum(["auto", "none"], "only auto and none can be passed on").optional(),
    max_tokens: MaxTokens.optional(),
    max_completion_tokens: MaxTokens.optional(),
    stream: z.boolean().optional(),
    stream_options: z.object({ include_usage: z.boolean().nullish() }).optional(),
  }),
  ignored: [
    "model",
    "metadata",
    "service_tier",
    "store",
    "user",
    "prompt_cache_key",
    "prompt_cache_retention",
    "safety_identifier",
    "reasoning_effort",
    "verbosity",
    "prediction",
    "seed",
  ],
  defaults: {
    temperature: [1],
    top_p: [1],
    n: [1],
    stop: [[]],
    presence_penalty: [0],
    frequency_penalty: [0],
    logit_bias: [{}],
    logprobs: [false],
    top_logprobs: [0],
    parallel_tool_calls: [true],
    modalities: [["text"]],
    response_format: [{ type: "text" }],
  },
} as const satisfies Rules<z.ZodObject>;

export const readOpenAIRequest = (
  body: unknown,
): {
  readonly request: Omit<ModelRequest, "model">;
  readonly streams: boolean;
  readonly wantsUsage: boolean;
} => {
  const fields = readFields(body, rules);
  const messages = fields.messages;
  const systemEnd = messages.findIndex(({ role }) => !isSystem(role));
  const system = messages.slice(0, systemEnd === -1 ? messages.length : systemEnd);
  const conversation = createConversation();
  for (const message of messages.slice(system.length)) addMessage(conversation, message);
  return {
    streams: fields.stream ?? false,
    wantsUsage: fields.stream_options?.include_usage ?? false,
    request: {
      system: system.map((message) => ({ text: textOf(message.content), stable: true })),
      messages: conversation.messages(),
      tools: (fields.tools ?? []).map(({ function: { name, description = "", parameters } }) => ({
        name,
        description,
        inputSchema: parameters ?? {},
      })),
      toolUse: fields.tool_choice === "none" ? "forbidden" : "allowed",
      maxOutputTokens: fields.max_completion_tokens ?? fields.max_tokens ?? DEFAULT_OUTPUT_TOKENS,
    },
  };
};

const isSystem = (role: RequestMessage["role"]): boolean => role === "system" || role === "developer";

const addMessage = (conversation: Conversation, message: RequestMessage): void => {
  switch (message.role) {
    case "system":
    case "developer":
      throw invalidRequestError(`A ${message.role} message is not at the start.`, "Put it before all other messages.");
    case "user":
      return conversation.addUserMessage(textOf(message.content));
    case "tool":
      return conversation.addResult({ call: message.tool_call_id, text: textOf(message.content), failed: false });
    case "assistant":
      return conversation.addAssistantMessage(
        textOf(message.content) || (message.refusal ?? ""),
        (message.tool_calls ?? []).map(toCall),
      );
  }
};

const textOf = (content: z.infer<typeof TextContent> | null | undefined): string =>
  typeof content === "string" ? content : (content ?? []).map(({ text }) => text).join("\n");

/** Invalid arguments that the model wrote are passed back unchanged. */
const toCall = ({ id, function: { name, arguments: argumentsText } }: z.infer<typeof Call>): ToolCall => {
  const input = z
    .record(z.string(), z.json())
    .safeParse(asObject(parseJson(argumentsText === "" ? "{}" : argumentsText)));
  if (input.success) return { id, name, input: input.data };
  return { id, name, input: {}, unreadable: argumentsText.slice(0, MAX_UNREADABLE).toWellFormed() };
};
