/** Token estimates of requests, which are never too low. */
import { expect, test } from "bun:test";
import type { ModelRequest } from "@hearth/protocol";
import { tokensAtMost } from "./budget-estimate.ts";

const request = (messages: ModelRequest["messages"]): ModelRequest => ({
  ...{ model: "m", system: [], tools: [], toolUse: "allowed", maxOutputTokens: 1 },
  messages,
});
const tokens = (messages: ModelRequest["messages"]): number => {
  const one = request(messages);
  return tokensAtMost(one, JSON.stringify(one));
};

test("a text has at most as many tokens as bytes, in any script", () => {
  const empty = tokens([{ role: "user", text: "" }]);
  expect(tokens([{ role: "user", text: "a".repeat(100) }]) - empty).toBe(100);
  expect(tokens([{ role: "user", text: "བོད".repeat(10) }]) - empty).toBe(90);
  expect(tokens([{ role: "user", text: "🜁".repeat(10) }]) - empty).toBe(40);
});

test("an image counts as one image, not as its base64 text", () => {
  const tool = { role: "tool", call: "c", name: "read", text: "", failed: false } as const;
  const picture = (size: number): number => tokens([{ ...tool, image: { type: "image/png", data: "A".repeat(size) } }]);
  expect(picture(1_000_000)).toBe(picture(4));
  expect(picture(4) - tokens([tool])).toBeGreaterThan(5_000);
});
