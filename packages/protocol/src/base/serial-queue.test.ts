import { expect, test } from "bun:test";
import { createSerialQueue } from "./serial-queue.ts";

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
