import { expect, test } from "bun:test";
import { type ActivationId, type Label, OWNER_LABEL } from "@hearth/protocol";
import { createTurnTaint } from "./turn-taint.ts";
import { createTurnTaints } from "./turn-taints.ts";
import { prepareText } from "./owner-names.ts";

const STRANGER: Label = { ...OWNER_LABEL, integrity: "untrusted", sources: ["page"] };
const TRUSTED: Label = { ...OWNER_LABEL, integrity: "trusted" };
const call = (name: string, input: object, id = "c") => ({ id, name, input: { ...input } });

test("a call is judged by what the model had read when it made the call, once per call made", () => {
  const taint = createTurnTaint();
  taint.add({ text: "go", label: TRUSTED });
  taint.recordCalls([call("visit", { url: "a" }), call("visit", { url: "b" })]);
  taint.add({ text: "a page", label: STRANGER });
  expect(taint.label.integrity).toBe("untrusted");
  expect(taint.taintOf(call("visit", { url: "b" })).label.integrity).toBe("trusted");
  expect(taint.taintOf(call("visit", { url: "b" })).label.integrity).toBe("untrusted");
  expect(taint.taintOf(call("visit", { url: "c" })).values.map(({ text }) => text)).toEqual(["go", "a page"]);
});

test("an answer without calls adds no text of the owner", () => {
  const taint = createTurnTaint();
  taint.add({ text: "go", label: OWNER_LABEL });
  taint.recordCalls([]);
  expect(taint.values.map(({ text }) => text)).toEqual(["go"]);
});

test("a new answer of the model replaces its earlier calls", () => {
  const taint = createTurnTaint();
  taint.recordCalls([call("visit", { url: "a" })]);
  taint.add({ text: "a page", label: STRANGER });
  taint.recordCalls([]);
  expect(taint.taintOf(call("visit", { url: "a" })).label.integrity).toBe("untrusted");
});

test("calls made from the owner's text alone count as the owner's text; later ones do not", () => {
  const taint = createTurnTaint();
  taint.add({ text: "go", label: OWNER_LABEL });
  taint.recordCalls([call("list", { folder: "general" })]);
  expect(taint.values.at(-1)).toEqual({ text: '[{"folder":"general"}]', label: OWNER_LABEL });
  taint.add({ text: "from a colleague", label: TRUSTED });
  taint.recordCalls([call("list", { folder: "mallory" })]);
  taint.add({ text: "a page", label: STRANGER });
  taint.recordCalls([call("list", { folder: "mallory" })]);
  expect(JSON.stringify(taint.values)).not.toContain("mallory");
});

test("what the owner names later does not aim an earlier call", () => {
  const taint = createTurnTaint();
  taint.add({ text: "Tell Bea", label: OWNER_LABEL });
  taint.add({ text: "a page", label: STRANGER });
  taint.recordCalls([call("send", { to: "Dan" })]);
  taint.add({ text: "and Dan too", label: OWNER_LABEL });
  const { owner } = taint.taintOf(call("send", { to: "Dan" }));
  expect([owner.names("Bea"), owner.names("Dan")]).toEqual([true, false]);
  expect([taint.owner.names("Dan"), taint.owner.names("page")]).toEqual([true, false]);
});

test("a text is scanned once, however many calls are judged by it", () => {
  const text = prepareText("See https://good.example/a, says Bea");
  expect(text.links).toBe(text.links);
  expect([...text.links.places]).toEqual(["https://good.example/a"]);
});

test("a host is reported once, before it counts as reached; none is reported for an activation that does not run", async () => {
  const taints = createTurnTaints();
  const told: string[] = [];
  const id = "act_1" as ActivationId;
  await taints.reach(id, "a.example");
  const taint = taints.open(id, []);
  taints.onReach(id, async (host) => void told.push(`${host} after ${taint.hosts.join()}`));
  for (const host of ["a.example", "b.example", "a.example"]) await taints.reach(id, host);
  expect([told, taint.hosts]).toEqual([
    ["a.example after ", "b.example after a.example"],
    ["a.example", "b.example"],
  ]);
  taints.close(id);
  await taints.reach(id, "c.example");
  expect(told).toHaveLength(2);
});
