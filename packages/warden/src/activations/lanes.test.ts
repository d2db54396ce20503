import { expect, test } from "bun:test";
import { createLanes } from "./lanes.ts";

interface Item {
  readonly name: string;
  readonly end: PromiseWithResolvers<void>;
}
const item = (name: string): Item => ({ name, end: Promise.withResolvers<void>() });
const settle = async (): Promise<void> => {
  for (let index = 0; index < 20; index += 1) await Promise.resolve();
};

test("items of one lane run one after the other, those of others at once", async () => {
  const started: string[] = [];
  const lanes = createLanes<Item>((next) => {
    started.push(next.name);
    return next.end.promise;
  });
  const [a1, a2, b1] = [item("a1"), item("a2"), item("b1")];
  lanes.add("a", a1);
  lanes.add("a", a2);
  lanes.add("b", b1);
  await settle();
  expect(started).toEqual(["a1", "b1"]);
  expect(lanes.counts()).toEqual({ queued: 1, running: 2 });
  a1.end.resolve();
  await settle();
  expect(started).toEqual(["a1", "b1", "a2"]);
  a2.end.resolve();
  b1.end.resolve();
  await settle();
  expect(lanes.counts()).toEqual({ queued: 0, running: 0 });
});

test("an item that is taken out never runs, and one that runs cannot be taken", async () => {
  const started: string[] = [];
  const lanes = createLanes<Item>((next) => {
    started.push(next.name);
    return next.end.promise;
  });
  const [first, second] = [item("first"), item("second")];
  lanes.add("a", first);
  lanes.add("a", second);
  expect(lanes.take("a", ({ name }) => name === "first")).toBeUndefined();
  expect(lanes.take("a", ({ name }) => name === "second")).toBe(second);
  first.end.resolve();
  await settle();
  expect(started).toEqual(["first"]);
});
