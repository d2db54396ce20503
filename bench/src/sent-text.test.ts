import { expect, test } from "bun:test";
import { splitText } from "./sent-text.ts";

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
