import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createFakeLog } from "../../kernel/log/log.ts";
import { createCatchUp } from "./catch-up.ts";

/** An index of numbers, whose runs wait at a gate after they have looked. */
const open = () => {
  const { clock } = createFakeWorld({ hash: String });
  const log = createFakeLog();
  const pending: number[] = [];
  const indexed: number[] = [];
  const gates: { readonly open: () => void }[] = [];
  let failure: Error | undefined;
  const catchUp = createCatchUp({
    clock,
    log,
    what: "numbers",
    async index(isOver) {
      const found = pending.splice(0);
      const gate = Promise.withResolvers<void>();
      gates.push({ open: gate.resolve });
      await gate.promise;
      if (failure !== undefined) throw failure;
      if (isOver()) {
        pending.push(...found);
        return false;
      }
      indexed.push(...found);
      return true;
    },
  });
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
  };
  /** Lets all runs end, also those that begin meanwhile. */
  const passAll = async (): Promise<void> => {
    await settle();
    for (let passed = 0; passed < gates.length; passed += 1) {
      gates[passed]?.open();
      await settle();
    }
  };
  return { catchUp, log, pending, indexed, gates, settle, passAll, fail: (error: Error) => (failure = error) };
};

test("callers during a run share the run after it, which finds what the first one missed", async () => {
  const { catchUp, pending, indexed, gates, settle, passAll } = open();
  pending.push(1);
  const first = catchUp.run();
  await settle();
  pending.push(2);
  const [second, third] = [catchUp.isDone(1000), catchUp.isDone(1000)];
  await passAll();
  await first;
  expect(await Promise.all([second, third])).toEqual([true, true]);
  expect([indexed, gates.length]).toEqual([[1, 2], 2]);
});

test("no caller learns that the index is up to date because another caller stopped early", async () => {
  const { catchUp, pending, indexed, settle, passAll } = open();
  pending.push(1);
  const stop = new AbortController();
  const sweep = catchUp.run(stop.signal);
  await settle();
  const search = catchUp.isDone(1000);
  stop.abort();
  await passAll();
  await sweep;
  expect(await search).toBe(true);
  expect(indexed).toEqual([1]);
});

test("a failure is logged and makes the index incomplete; the next run tries again", async () => {
  const { catchUp, log, passAll, fail } = open();
  fail(new Error("the disk is gone"));
  const search = catchUp.isDone(1000);
  await passAll();
  expect(await search).toBe(false);
  expect(log.lines).toEqual([expect.stringContaining("cannot index numbers")]);
  const sweep = catchUp.run();
  await Promise.all([passAll(), expect(sweep).rejects.toThrow("the disk is gone")]);
});
