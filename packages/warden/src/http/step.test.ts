import { expect, test } from "bun:test";
import type { ActivationId, Label } from "@hearth/protocol";
import { noUsage } from "@hearth/protocol";
import { Step } from "@hearth/protocol/api";
import type { JournaledStep } from "../kernel/journal/journal.ts";
import { shortLine, toStep } from "./step.ts";

const id = `act_${"0".repeat(26)}` as ActivationId;
const event = `evt_${"0".repeat(26)}`;
const usage = { ...noUsage, inputTokens: 3 };
const show = (kind: JournaledStep["kind"], output: object | undefined) =>
  Step.strict().parse(
    toStep(id, 4, {
      ...{ kind, name: "x", effect: "pure", state: output === undefined ? "started" : "done", startedAt: 1 },
      ...{ endedAt: output === undefined ? undefined : 2, output: output && JSON.stringify(output) },
    }),
  );

test("a model step shows its text, its calls and its cost, and no vendor data", () => {
  const toolCalls = ["read", "shell"].map((name) => ({ id: name, name, input: {} }));
  const message = { role: "assistant", text: "Let me\n see.", toolCalls, vendor: { wire: "w", data: "sealed" } };
  const step = show("model", { message, usage });
  expect(step).toMatchObject({ step: 4, usage, glimpse: "Let me see. · asks for read, shell" });
  expect(JSON.stringify(step)).not.toContain("sealed");
  expect(show("model", { message: { ...message, toolCalls: [] }, usage }).glimpse).toBe("Let me see.");
});

test("a tool step shows the beginning of its result, and whether it failed", () => {
  expect(show("tool", { text: "x".repeat(1000), failed: true })).toMatchObject({
    glimpse: `${"x".repeat(199)}…`,
    failed: true,
  });
});

test("an intake step shows which messages were taken in, and their beginnings", () => {
  const messages = ["one", "two"].map((text) => ({ role: "user", text, note: "the house's word" }));
  expect(show("intake", { messages, events: [event] })).toMatchObject({ glimpse: "one · two", messages: [event] });
});

test("a step shows the provenance of its result", () => {
  const label: Label = { integrity: "untrusted", readers: "anyone", sources: ["https://example.org/"] };
  const known = { kind: "tool", name: "fetch", effect: "pure", state: "done", startedAt: 1, endedAt: 2 } as const;
  const output = JSON.stringify({ text: "page", failed: false });
  expect<Label | undefined>(Step.parse(toStep(id, 4, { ...known, output, label })).label).toEqual(label);
  expect(Step.parse(toStep(id, 4, { ...known, output })).label).toBeUndefined();
});

test("a running step shows no outcome", () => {
  const { glimpse, failed, endedAt, state } = show("tool", undefined);
  expect([glimpse, failed, endedAt, state]).toEqual([undefined, undefined, undefined, "started"]);
});

test("a short line is one line, cut with a sign, and never within a character", () => {
  expect(shortLine(" a\n\tb ")).toBe("a b");
  const cut = shortLine("🌍".repeat(150));
  expect([cut.length, cut.endsWith("…"), cut.isWellFormed()]).toEqual([200, true, true]);
});
