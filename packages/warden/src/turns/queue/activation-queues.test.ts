import { expect, test } from "bun:test";
import { type ActivationQueues, createActivationQueues } from "./activation-queues.ts";

interface Item {
  readonly name: string;
  readonly end: PromiseWithResolvers<void>;
}
const open = (run: (next: Item) => Promise<void>, isHeld?: (next: Item) => boolean): ActivationQueues<Item> => {
  const lanes = createActivationQueues<Item>(isHeld);
  lanes.serve(run);
  return lanes;
};
const item = (name: string): Item => ({ name, end: Promise.withResolvers<void>() });
const settle = async (): Promise<void> => {
  for (let index = 0; index < 20; index += 1) await Promise.resolve();
};

test("items of one queue run in order, and different queues run concurrently", async () => {
  const started: string[] = [];
  const lanes = open((next) => {
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

test("an item that was taken out never runs, and a running item cannot be taken", async () => {
  const started: string[] = [];
  const lanes = open((next) => {
    started.push(next.name);
    return next.end.promise;
  });
  const [first, second] = [item("first"), item("second")];
  lanes.add("a", first);
  lanes.add("a", second);
  expect(lanes.take("a", ({ name }) => name === "first")).toEqual([]);
  expect(lanes.take("a", ({ name }) => name === "second")).toEqual([second]);
  first.end.resolve();
  await settle();
  expect(started).toEqual(["first"]);
});

test("items that were taken and given back run in order, before later items", async () => {
  const started: string[] = [];
  const lanes = open((next) => {
    started.push(next.name);
    return next.end.promise;
  });
  const items = ["1", "2", "3", "4"].map(item);
  for (const one of items) {
    lanes.add("a", one);
    one.end.resolve();
  }
  const taken = lanes.take("a", ({ name }) => name !== "3");
  expect(taken.map(({ name }) => name)).toEqual(["2", "4"]);
  lanes.putBack("a", taken);
  await lanes.drained();
  expect(started).toEqual(["1", "2", "4", "3"]);
});

test("a held item blocks its own queue only, and runs after `wake`", async () => {
  const started: string[] = [];
  let held = true;
  const lanes = open(
    (next) => {
      started.push(next.name);
      return next.end.promise;
    },
    ({ name }) => held && name.startsWith("a"),
  );
  const items = ["a1", "a2", "b1"].map(item);
  for (const one of items) {
    lanes.add(one.name.slice(0, 1), one);
    one.end.resolve();
  }
  await lanes.drained();
  expect([started, lanes.counts()]).toEqual([["b1"], { queued: 2, running: 0 }]);
  held = false;
  lanes.wake();
  lanes.wake();
  await lanes.drained();
  expect([started, lanes.counts()]).toEqual([["b1", "a1", "a2"], { queued: 0, running: 0 }]);
});

test("a queue that is held while an item runs stops after that item", async () => {
  const started: string[] = [];
  let held = false;
  const lanes = open(
    (next) => {
      started.push(next.name);
      return next.end.promise;
    },
    () => held,
  );
  const [first, second] = [item("first"), item("second")];
  lanes.add("a", first);
  lanes.add("a", second);
  held = true;
  first.end.resolve();
  await lanes.drained();
  expect([started, lanes.counts()]).toEqual([["first"], { queued: 1, running: 0 }]);
  lanes.take("a", () => true);
  expect(lanes.counts()).toEqual({ queued: 0, running: 0 });
});
