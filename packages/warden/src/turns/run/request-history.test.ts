import { expect, test } from "bun:test";
import { type ActivationInput, type ModelMessage, userText } from "@hearth/protocol";
import { createRequestHistory, toCellInput } from "./request-history.ts";

const says = (...texts: readonly string[]): ModelMessage[] => texts.map((text) => ({ role: "user", text }));
const textsOf = (messages: readonly ModelMessage[]): string =>
  messages.map((message) => (message.role === "user" ? userText(message) : message.text)).join(" ");

test("the first request begins with the inmate's history", () => {
  expect(textsOf(createRequestHistory(says("a", "b")).complete({ kept: 2, messages: says("c") }))).toBe("a b c");
});

test("each request extends the one before", () => {
  const asked = createRequestHistory(says("a"));
  asked.complete({ kept: 1, messages: says("b", "c") });
  expect(textsOf(asked.complete({ kept: 3, messages: says("d") }))).toBe("a b c d");
  expect(textsOf(asked.complete({ kept: 4, messages: [] }))).toBe("a b c d");
});

test("messages that are not kept are dropped", () => {
  const asked = createRequestHistory(says("a", "b"));
  expect(textsOf(asked.complete({ kept: 0, messages: says("c") }))).toBe("c");
  expect(() => asked.complete({ kept: 2, messages: [] })).toThrow("keeps 2 messages, but the last request had 1");
});

test("a request cannot keep more messages than there are", () => {
  expect(() => createRequestHistory(says("a")).complete({ kept: 2, messages: says("b") })).toThrow(
    expect.objectContaining({ code: "cell.protocol" }),
  );
});

test("the total of added messages is limited, even when they are dropped again", () => {
  const asked = createRequestHistory([]);
  const long = says("x".repeat(4 * 1024 * 1024));
  for (let round = 0; round < 3; round += 1) asked.complete({ kept: 0, messages: long });
  expect(() => asked.complete({ kept: 0, messages: long })).toThrow(expect.objectContaining({ code: "cell.protocol" }));
});

test("the cell receives the history from the first tool result on, and the number of the messages before", () => {
  const input: ActivationInput = {
    agent: { name: "Main", handle: "main" },
    room: { name: "main", kind: "direct" },
    house: { name: "home" },
    parts: [],
    history: says("a", "b"),
    tools: [],
    maxRounds: 2,
  };
  expect(toCellInput(input)).toEqual({ ...input, history: [], withheld: 2 });
  const found: ModelMessage = { role: "tool", call: "1", name: "find_tools", text: "time", failed: false };
  const history = [...says("a"), found, ...says("b")];
  expect(toCellInput({ ...input, history })).toEqual({ ...input, history: [found, ...says("b")], withheld: 1 });
  expect(toCellInput({ ...input, history: [] })).toEqual({ ...input, history: [], withheld: 0 });
});
