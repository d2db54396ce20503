/** Converts a request of Anthropic's Messages API to a model request. */
import { Image, type LoadedFile, type ModelRequest } from "@hearth/protocol";
import { z } from "zod";
import { createConversation, type Conversation } from "./conversation.ts";
import { invalidRequestError, MaxTokens, onlyOf, readFields, type Rules } from "./fields.ts";
import { DEFAULT_OUTPUT_TOKENS } from "./vendor-api.ts";

const TextBlock = z.object({ type: z.literal("text"), text: z.string() });
const ImageBlock = z.object({
  type: z.literal("image"),
  source: z.object({
    type: z.literal("base64", "only base64 can be passed on"),
    media_type: Image.shape.type,
    data: Image.shape.data,
  }),
});
const ThinkingBlock = z.object({ type: z.enum(["thinking", "redacted_thinking"]) });
const ToolUseBlock = z.object({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.json()),
});
const ToolResultBlock = z.object({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z
    .union([z.string(), z.array(z.discriminatedUnion("type", [TextBlock, ImageBlock], onlyOf("text", "image")))])
    .optional(),
  is_error: z.boolean().optional(),
});

const RequestMessage = z.discriminatedUnion(
  "role",
  [
    z.object({
      role: z.literal("user"),
      content: z.union([
        z.string(),
        z.array(z.discriminatedUnion("type", [TextBlock, ToolResultBlock], onlyOf("text", "tool_result"))),
      ]),
    }),
    z.object({
      role: z.literal("assistant"),
      content: z.union([
        z.string(),
        z.array(z.discriminatedUnion("type", [TextBlock, ToolUseBlock, ThinkingBlock], onlyOf("text", "tool_use"))),
      ]),
    }),
  ],
  onlyOf("user", "assistant"),
);
type RequestMessage = z.infer<typeof RequestMessage>;

const Offer = z.object({
  type: z.literal("custom", "only tools of the program's own can be passed on").nullish(),
  name: z.string(),
  description: z.string().optional(),
  input_schema: z.record(z.string(), z.unknown()),
});

const rules = {
  supported: z.object({
    messages: z.array(RequestMessage),
    system: z.union([z.string(), z.array(TextBlock)]).optional(),
    tools: z.array(Offer).optional(),
    tool_choice: z
      .object({
        type: z.enum(["auto", "none"], "only auto and none can be passed on"),
        disable_parallel_tool_use: z.literal(false, "cannot be passed on").optional(),
      })
      .optional(),
    max_tokens: MaxTokens.optional(),
    /** The effort is ignored. An output format is not supported. */
    output_config: z.strictObject({ effort: z.unknown() }).optional(),
    stream: z.boolean().optional(),
  }),
  ignored: ["model", "metadata", "service_tier", "cache_control", "thinking", "context_management"],
  defaults: { temperature: [1], top_p: [1], stop_sequences: [[]] },
} as const satisfies Rules<z.ZodObject>;

export const readAnthropicRequest = (
  body: unknown,
): { readonly request: Omit<ModelRequest, "model">; readonly streams: boolean } => {
  const fields = readFields(body, rules);
  const conversation = createConversation();
  for (const message of fields.messages) addMessage(conversation, message);
  const { system = [] } = fields;
  const parts = typeof system === "string" ? [system] : system.map(({ text }) => text);
  return {
    streams: fields.stream ?? false,
    request: {
      // A program's system text is the same in each of its requests.
      system: parts.map((text) => ({ text, stable: true })),
      messages: conversation.messages(),
      tools: (fields.tools ?? []).map(({ name, description = "", input_schema: inputSchema }) => ({
        name,
        description,
        inputSchema,
      })),
      toolUse: fields.tool_choice?.type === "none" ? "forbidden" : "allowed",
      maxOutputTokens: fields.max_tokens ?? DEFAULT_OUTPUT_TOKENS,
    },
  };
};

const addMessage = (conversation: Conversation, { role, content }: RequestMessage): void => {
  if (typeof content === "string") {
    if (role === "user") conversation.addUserMessage(content);
    else conversation.addAssistantMessage(content, []);
  } else if (role === "user") {
    for (const block of content) {
      if (block.type === "text") conversation.addUserMessage(block.text);
      else conversation.addResult(toResult(block));
    }
  } else {
    conversation.addAssistantMessage(
      content.flatMap((block) => (block.type === "text" ? block.text : [])).join(""),
      content.flatMap((block) =>
        block.type === "tool_use" ? { id: block.id, name: block.name, input: block.input } : [],
      ),
    );
  }
};

/** Converts a picture that a program sends itself. It is passed on and never stored. */
const toPicture = (type: string, data: string): LoadedFile => ({
  kind: "image",
  type,
  name: "picture",
  sizeBytes: Math.max(1, Math.floor((data.length * 3) / 4)),
  hash: NO_HASH,
  data,
});
const NO_HASH = "0".repeat(64);

const toResult = ({ tool_use_id: call, content = "", is_error: failed = false }: z.infer<typeof ToolResultBlock>) => {
  if (typeof content === "string") return { call, text: content, failed };
  const text = content.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n");
  const [picture, ...otherPictures] = content.flatMap((block) => (block.type === "image" ? block.source : []));
  if (picture === undefined) return { call, text, failed };
  if (otherPictures.length > 0)
    throw invalidRequestError(`The result of ${call} has more than one picture.`, "Give one.");
  return { call, text, failed, parts: [toPicture(picture.media_type, picture.data)] };
};
