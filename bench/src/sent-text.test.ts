import { expect, test } from "bun:test";
import { inCacheOrder, sharedStart, splitText } from "./sent-text.ts";

const soul = '# Soul\n\nBe "kind".\n';
const body = JSON.stringify({
  model: "instant",
  max_tokens: 9,
  system: [{ type: "text", text: `${soul.trim()}\n\n# Here and now` }],
  tools: [{ name: "read" }],
  messages: [{ role: "user", content: "hi" }],
});

test("only the fields that cost tokens are taken, as they were sent", () => {
  expect(splitText(body, []).fields).toEqual([
    { name: "system", text: '[{"type":"text","text":"# Soul\\n\\nBe \\"kind\\".\\n\\n# Here and now"}]' },
    { name: "tools", text: '[{"name":"read"}]' },
    { name: "messages", text: '[{"role":"user","content":"hi"}]' },
  ]);
});

test("a wire without a system field has the system prompt in its messages", () => {
  const chat = JSON.stringify({ messages: [{ role: "system", content: soul.trim() }] });
  const { fields, brain } = splitText(chat, [soul]);
  expect(fields.map(({ name }) => name)).toEqual(["messages"]);
  expect(brain).toEqual(['# Soul\\n\\nBe \\"kind\\".']);
});

test("a brain file counts only if it was sent, in the form it was sent", () => {
  expect(splitText(body, [soul, "never sent", " \n"]).brain).toEqual(['# Soul\\n\\nBe \\"kind\\".']);
});

test("requests are compared as tools, system and messages, without marks for the cache", () => {
  const marked = JSON.stringify({
    messages: [{ role: "user", content: [{ type: "text", text: "hi", cache_control: { type: "ephemeral" } }] }],
    system: [{ type: "text", text: "Be kind.", cache_control: { type: "ephemeral" } }],
    tools: [{ name: "read" }],
  });
  expect(inCacheOrder(marked).split("\n")).toEqual([
    '{"name":"read"}',
    '{"type":"text","text":"Be kind."}',
    '{"role":"user","content":[{"type":"text","text":"hi"}]}',
  ]);
  expect(inCacheOrder('{"messages":[{"role":"user","content":"hi"}]}')).toBe('{"role":"user","content":"hi"}');
});

test("the shared start ends at the first difference", () => {
  expect(sharedStart("abcd", "abxd")).toBe("ab");
  expect(sharedStart("ab", "abc")).toBe("ab");
  expect(sharedStart("x", "y")).toBe("");
});
