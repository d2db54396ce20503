/**
 * Commands in messages. The instant model answers such a message with a shell call for each
 * command, and their results with its fixed reply.
 */
import { chunk, choice } from "./wires.ts";

const ORDER = "run: ";

/** Encodes a command so that JSON does not change any of its characters. */
export const orderOf = (command: string): string => ORDER + encodeURIComponent(command);

/** Returns the response to a request of the `openai` wire whose last message contains a command. */
export const callBytes = (body: string): Uint8Array<ArrayBuffer> | undefined => {
  if (!body.includes(ORDER)) return undefined;
  const { messages } = JSON.parse(body) as {
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  };
  const last = messages.at(-1);
  if (last?.role !== "user") return undefined;
  const calls = [...JSON.stringify(last.content).matchAll(/run: ([^\s"\\]+)/g)].map(([, order = ""], index) => ({
    index,
    id: `call-${index + 1}`,
    type: "function",
    function: { name: "shell", arguments: JSON.stringify({ command: decodeURIComponent(order) }) },
  }));
  if (calls.length === 0) return undefined;
  const parts = [
    chunk(choice({ role: "assistant", content: null, tool_calls: calls }, null)),
    chunk(choice({}, "tool_calls")),
  ];
  return new TextEncoder().encode(`${parts.join("")}data: [DONE]\n\n`);
};
