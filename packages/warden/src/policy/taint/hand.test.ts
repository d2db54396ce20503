import { expect, test } from "bun:test";
import { type ActivationId, type Label, OWN } from "@hearth/protocol";
import { createHand } from "./hand.ts";
import { createHands } from "./hands.ts";
import { readNames } from "./provenance-named.ts";

const STRANGER: Label = { ...OWN, integrity: "untrusted", sources: ["page"] };
const TRUSTED: Label = { ...OWN, integrity: "trusted" };
const call = (name: string, input: object, id = "c") => ({ id, name, input: { ...input } });

test("a call is judged by what the model knew when it asked for it, and only as often as it did", () => {
  const hand = createHand();
  hand.take({ text: "go", label: TRUSTED });
  hand.decide([call("visit", { url: "a" }), call("visit", { url: "b" })]);
  hand.take({ text: "a page", label: STRANGER });
  expect(hand.label.integrity).toBe("untrusted");
  expect(hand.behind(call("visit", { url: "b" })).label.integrity).toBe("trusted");
  expect(hand.behind(call("visit", { url: "b" })).label.integrity).toBe("untrusted");
  expect(hand.behind(call("visit", { url: "c" })).held.map(({ text }) => text)).toEqual(["go", "a page"]);
});

test("another answer of the model puts an end to what it asked for before", () => {
  const hand = createHand();
  hand.decide([call("visit", { url: "a" })]);
  hand.take({ text: "a page", label: STRANGER });
  hand.decide([]);
  expect(hand.behind(call("visit", { url: "a" })).label.integrity).toBe("untrusted");
});

test("what the model asked for with nothing but the owner's words in hand is worth as much as they are, and later it is not", () => {
  const hand = createHand();
  hand.take({ text: "go", label: OWN });
  hand.decide([call("list", { folder: "general" })]);
  expect(hand.held.at(-1)).toEqual({ text: '[{"folder":"general"}]', label: OWN });
  hand.take({ text: "from a colleague", label: TRUSTED });
  hand.decide([call("list", { folder: "mallory" })]);
  hand.take({ text: "a page", label: STRANGER });
  hand.decide([call("list", { folder: "mallory" })]);
  expect(JSON.stringify(hand.held)).not.toContain("mallory");
});

test("what the owner names later aims no call that was asked for before", () => {
  const hand = createHand();
  hand.take({ text: "Tell Bea", label: OWN });
  hand.take({ text: "a page", label: STRANGER });
  hand.decide([call("send", { to: "Dan" })]);
  hand.take({ text: "and Dan too", label: OWN });
  const { owner } = hand.behind(call("send", { to: "Dan" }));
  expect([owner.names("Bea"), owner.names("Dan")]).toEqual([true, false]);
  expect([hand.owner.names("Dan"), hand.owner.names("page")]).toEqual([true, false]);
});

test("a text is looked through once, however many calls are judged by it", () => {
  const text = readNames("See https://good.example/a, says Bea");
  expect(text.links).toBe(text.links);
  expect([...text.links.places]).toEqual(["https://good.example/a"]);
});

test("a host is told once, before it counts as reached; of an activation that does not run none is", async () => {
  const hands = createHands();
  const told: string[] = [];
  const id = "act_1" as ActivationId;
  await hands.reach(id, "a.example");
  const hand = hands.open(id, [], async (host) => void told.push(`${host} after ${hand.hosts.join()}`));
  for (const host of ["a.example", "b.example", "a.example"]) await hands.reach(id, host);
  expect([told, hand.hosts]).toEqual([
    ["a.example after ", "b.example after a.example"],
    ["a.example", "b.example"],
  ]);
  hands.close(id);
  await hands.reach(id, "c.example");
  expect(told).toHaveLength(2);
});
