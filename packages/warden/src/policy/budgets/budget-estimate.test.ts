/** Token estimates of requests, which are never too low. */
import { expect, test } from "bun:test";
import { kindOfType, type LoadedFile, type ModelRequest } from "@hearth/protocol";
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
  const picture = (size: number): number => {
    const file = { kind: "image", type: "image/png", name: "a", sizeBytes: 10, hash: "0".repeat(64) } as const;
    const loaded: LoadedFile = { ...file, data: "A".repeat(size) };
    return tokens([{ ...tool, parts: [loaded] }]);
  };
  expect(picture(1_000_000)).toBe(picture(4));
  expect(picture(4) - tokens([tool])).toBeGreaterThan(5_000);
});

test("files count by their kind and size, also when only a reference is in the request", () => {
  const count = (type: string, sizeBytes: number): number => {
    const part = { kind: kindOfType(type), type, name: "a", sizeBytes, hash: "0".repeat(64) };
    return tokens([{ role: "user", text: "", parts: [part] }]);
  };
  expect(count("image/png", 3_000_000)).toBe(count("image/png", 1_000_000));
  expect(count("application/pdf", 60_000) - count("application/pdf", 10_000)).toBe(50_000);
  expect(count("application/pdf", 900_000)).toBe(count("application/pdf", 800_000));
  expect(count("audio/mpeg", 64_000) - count("audio/mpeg", 32_000)).toBe(1000);
  expect(count("application/zip", 64_000)).toBe(count("application/zip", 32_000));
});
