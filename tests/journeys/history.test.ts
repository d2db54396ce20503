import { expect, test } from "bun:test";
import { faultsOf } from "./history.ts";

const system = { role: "system", content: "s" };
const user = { role: "user", content: "hi" };
const calls = (...ids: string[]) => ({ role: "assistant", content: null, tool_calls: ids.map((id) => ({ id })) });
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "12:00" });
const reply = { role: "assistant", content: "hello" };

test.each([
  [[user]],
  [[system, user, calls("a", "b"), result("b"), result("a")]],
  [[user, calls("a"), result("a"), reply, user, calls("a"), result("a")]],
])("a history that pairs every call is accepted (%#)", (messages) => {
  expect(faultsOf(messages)).toEqual([]);
});

test.each([
  ["a call without its result", [user, calls("a", "b"), result("a"), user]],
  ["a call at the end", [user, calls("a")]],
  ["a result without a call", [user, result("a")]],
  ["a result twice", [user, calls("a"), result("a"), result("a")]],
  ["a result after another message", [user, calls("a"), user, result("a")]],
  ["one id for two calls", [user, calls("a", "a"), result("a")]],
  ["an empty word", [user, { role: "assistant", content: "" }, user]],
  ["a reply as the last word", [user, reply]],
])("%s is refused", (_what, messages) => {
  expect(faultsOf(messages).length).toBeGreaterThan(0);
});
