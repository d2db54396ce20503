/**
 * Commands in messages. The instant model answers such a message with a shell call, and the call's
 * result with its fixed reply.
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
  const order = last?.role === "user" ? /run: ([^\s"\\]+)/.exec(JSON.stringify(last.content))?.[1] : undefined;
  if (order === undefined) return undefined;
  const call = { name: "shell", arguments: JSON.stringify({ command: decodeURIComponent(order) }) };
  const calls = [{ index: 0, id: "call-1", type: "function", function: call }];
  const parts = [
    chunk(choice({ role: "assistant", content: null, tool_calls: calls }, null)),
    chunk(choice({}, "tool_calls")),
  ];
  return new TextEncoder().encode(`${parts.join("")}data: [DONE]\n\n`);
};
