import { expect, test } from "bun:test";
import { createSingleFlight } from "./single-flight.ts";

interface Value {
  readonly text: string;
  readonly failed?: true;
}

const setUp = () => {
  const flight = createSingleFlight<Value>();
  let stored: Value | undefined;
  let calls = 0;
  const gates: PromiseWithResolvers<Value>[] = [];
  const ask = (retries = false, find?: () => Promise<Value | undefined>) =>
    flight("key", {
      find: find ?? (async () => stored),
      isFailure: ({ failed }) => failed === true,
      retries,
      async make() {
        calls += 1;
        const gate = Promise.withResolvers<Value>();
        gates.push(gate);
        stored = await gate.promise;
        return stored;
      },
    });
  return { ask, gates, calls: () => calls, store: (value: Value) => void (stored = value) };
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("concurrent callers make one value, also one whose search began before the value was stored", async () => {
  const { ask, gates, calls } = setUp();
  const slowSearch = Promise.withResolvers<undefined>();
  const first = ask(false, () => slowSearch.promise);
  const second = ask();
  const retry = ask(true);
  slowSearch.resolve(undefined);
  await turn();
  gates[0]?.resolve({ text: "made" });
  expect(await Promise.all([first, second, retry])).toEqual([{ text: "made" }, { text: "made" }, { text: "made" }]);
  expect(await ask(true)).toEqual({ text: "made" });
  expect(calls()).toBe(1);
});

test("a failure is made again by a retry only, and concurrent retries make one value", async () => {
  const { ask, gates, calls, store } = setUp();
  store({ text: "", failed: true });
  const plain = ask();
  const retries = [ask(true), ask(true)];
  expect(await plain).toEqual({ text: "", failed: true });
  await turn();
  gates[0]?.resolve({ text: "", failed: true });
  expect(await Promise.all(retries)).toEqual([
    { text: "", failed: true },
    { text: "", failed: true },
  ]);
  expect(calls()).toBe(1);
});

test("a flight that throws leaves the next caller free to try", async () => {
  const { ask, gates, calls } = setUp();
  const failing = ask();
  await turn();
  gates[0]?.reject(new Error("the store is closed"));
  await expect(failing).rejects.toThrow("the store is closed");
  const next = ask();
  await turn();
  gates[1]?.resolve({ text: "made" });
  expect([await next, calls()]).toEqual([{ text: "made" }, 2]);
});
