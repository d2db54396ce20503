import { expect, test } from "bun:test";
import { createNamedQueues, createSerialQueue } from "./serial-queue.ts";

test("work runs one at a time in the order of the calls, also after a failure", async () => {
  const enqueue = createSerialQueue();
  const steps: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = enqueue(async () => {
    steps.push("first begins");
    await gate.promise;
    steps.push("first fails");
    throw new Error("no space");
  });
  const second = enqueue(async () => {
    steps.push("second");
    return 2;
  });
  gate.resolve();
  await expect(first).rejects.toThrow("no space");
  expect(await second).toBe(2);
  expect(steps).toEqual(["first begins", "first fails", "second"]);
});

test("work of one name waits for earlier work of that name, also after a failure, but not for other names", async () => {
  const enqueue = createNamedQueues();
  const steps: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = enqueue("a", async () => {
    await gate.promise;
    steps.push("a fails");
    throw new Error("no space");
  });
  const second = enqueue("a", async () => void steps.push("a again"));
  await enqueue("b", async () => void steps.push("b"));
  gate.resolve();
  await expect(first).rejects.toThrow("no space");
  await second;
  expect(steps).toEqual(["b", "a fails", "a again"]);
});
