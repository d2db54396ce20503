import { expect, test } from "bun:test";
import type { ModelMessage, ModelRequest } from "@hearth/protocol";
import { addRedactions, type Redactions, redactRequest } from "./redactions.ts";

const request = (messages: readonly ModelMessage[], system = ""): ModelRequest => ({
  ...{
    model: "m",
    system: [{ text: system, stable: true }],
    messages,
    tools: [],
    toolUse: "allowed",
    maxOutputTokens: 100,
  },
});
const occursIn = (text: string): boolean => text.includes("otter");
const PAGE = "A long page about animals that live in rivers.";

const cleaned = (messages: readonly ModelMessage[], system?: string) => {
  const redactions: Redactions = new Map();
  addRedactions(redactions, ["act_1"], { occursIn }, [PAGE, "ok"]);
  return redactRequest(request(messages, system), redactions.get("act_1"));
};
const result = (text: string): ModelMessage => ({ role: "tool", call: "c", name: "recall", text, failed: false });
const textsOf = ({ messages }: ModelRequest): readonly string[] => messages.map(({ text }) => text);

test("in prompts and call results, only the lines that hold the forgotten text are removed", () => {
  const { system, messages } = cleaned(
    [result("MEMORY.md:1\nthe otter\nthe bike")],
    "a rule\nan otter\n\nanother rule",
  );
  expect(system).toEqual([{ text: "a rule\n[forgotten]\n\nanother rule", stable: true }]);
  expect(messages.map(({ text }) => text)).toEqual(["MEMORY.md:1\n[forgotten]\nthe bike"]);
});

test("a call result that quotes the forgotten source is removed whole, unless it is very short", () => {
  expect(textsOf(cleaned([result(PAGE), result("ok"), result(`${PAGE} And more.`)]))).toEqual([
    "[forgotten]",
    "ok",
    `${PAGE} And more.`,
  ]);
});

test("a picture is removed with a whole call result, and stays when part of the result remains", () => {
  const shown = (text: string): ModelMessage => ({
    ...{ role: "tool", call: "c", name: "browse", text, failed: false },
    parts: [{ kind: "image", type: "image/png", name: "a.png", sizeBytes: 3, hash: "0".repeat(64) }],
  });
  const { messages } = cleaned([shown(PAGE), shown("an otter\na bike")]);
  expect(messages.map((message) => "parts" in message)).toEqual([false, true]);
});

test("people's messages and vendor-sealed data stay, and the agent's own text is removed", () => {
  const said: ModelMessage = { role: "assistant", text: "an otter", toolCalls: [] };
  const sealed: ModelMessage = { ...said, vendor: { wire: "x", data: "" } };
  expect(textsOf(cleaned([{ role: "user", text: "an otter" }, said, sealed]))).toEqual([
    "an otter",
    "[forgotten]",
    "an otter",
  ]);
});

test("later redactions apply too, and turns without any are unchanged", () => {
  const redactions: Redactions = new Map();
  addRedactions(redactions, ["act_1"], { occursIn }, []);
  addRedactions(redactions, ["act_1"], { occursIn: (text) => text.includes("bike") }, []);
  const asked = request([result("otter\nbike\nbread")]);
  expect(textsOf(redactRequest(asked, redactions.get("act_1")))).toEqual(["[forgotten]\n[forgotten]\nbread"]);
  expect(redactRequest(asked, redactions.get("act_2"))).toBe(asked);
});
