/**
 * Validates a history as an OpenAI-compatible provider does: every tool call must have its result.
 */
import type { Json } from "./daemon.ts";

/** Returns one sentence per fault of a request's messages. */
export const faultsOf = (messages: readonly Json[]): readonly string[] => {
  const faults: string[] = [];
  let open: readonly string[] = [];
  for (const [index, { role, tool_calls: calls, tool_call_id: id, content }] of messages.entries()) {
    if (role === "tool") {
      if (!open.includes(id)) faults.push(`${index}: a result of ${id}, which was not called just before`);
      open = open.filter((openId) => openId !== id);
      if (typeof content !== "string") faults.push(`${index}: a result without text`);
      continue;
    }
    if (open.length > 0) faults.push(`${index}: ${open.join(", ")} stayed without a result`);
    open = [];
    if (role === "assistant") {
      open = (calls ?? []).map((call: Json) => call.id);
      if (new Set(open).size < open.length) faults.push(`${index}: two calls with one id`);
      if (open.length === 0 && !content) faults.push(`${index}: an assistant who says nothing`);
    } else if (role === "user" ? !content : role !== "system" && role !== "developer") {
      faults.push(`${index}: ${role} with ${JSON.stringify(content)}`);
    }
  }
  if (open.length > 0) faults.push(`the end: ${open.join(", ")} stayed without a result`);
  if (!["user", "tool"].includes(messages.at(-1)?.role)) faults.push("the end: nothing to answer");
  return faults;
};
