/**
 * Tool calls requested by messages. The instant model answers such a message with these calls, and
 * their results with its fixed reply.
 */
import { chunk, choice } from "./wires.ts";

const ORDER = "call: ";

/** Encodes a tool call so that JSON does not change any of its characters. */
export const orderOf = (tool: string, input: object): string =>
  `${ORDER}${tool}:${encodeURIComponent(JSON.stringify(input))}`;

/** Returns the response to a request of the `openai` wire whose last message contains calls. */
export const callBytes = (body: string): Uint8Array<ArrayBuffer> | undefined => {
  if (!body.includes(ORDER)) return undefined;
  const { messages } = JSON.parse(body) as {
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  };
  const last = messages.at(-1);
  if (last?.role !== "user") return undefined;
  const orders = JSON.stringify(last.content).matchAll(/call: (\w+):([^\s"\\]+)/g);
  const calls = [...orders].map(([, name = "", input = ""], index) => ({
    index,
    id: `call-${index + 1}`,
    type: "function",
    function: { name, arguments: decodeURIComponent(input) },
  }));
  if (calls.length === 0) return undefined;
  const parts = [
    chunk(choice({ role: "assistant", content: null, tool_calls: calls }, null)),
    chunk(choice({}, "tool_calls")),
  ];
  return new TextEncoder().encode(`${parts.join("")}data: [DONE]\n\n`);
};
