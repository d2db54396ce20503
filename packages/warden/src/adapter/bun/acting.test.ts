import { expect, test } from "bun:test";
import type { Actor } from "../../kernel/index.ts";
import { createActingScope } from "./world.ts";

const actor = (name: string): Actor => ({ agent: `agent_${name}` as Actor["agent"], via: "run-token" });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("the actor is present in the work and in all that it awaits, also while other requests run", async () => {
  const acting = createActingScope();
  const [ada, ben] = [actor("ada"), actor("ben")];
  const work = async () => {
    const first = acting.current();
    await turn();
    return [first, acting.current()];
  };
  expect(await Promise.all([acting.run(ada, work), acting.run(ben, work)])).toEqual([
    [ada, ada],
    [ben, ben],
  ]);
  expect(acting.current()).toBeUndefined();
});

test("work that a request started and left has no actor, nor has code that waited for the request", async () => {
  const acting = createActingScope();
  const arrived = Promise.withResolvers<void>();
  const waiting = (async () => {
    await arrived.promise;
    return acting.current();
  })();
  let left: Promise<unknown> = Promise.resolve();
  await acting.run(actor("ada"), async () => {
    left = turn().then(() => acting.current());
    arrived.resolve();
  });
  expect([await left, await waiting]).toEqual([undefined, undefined]);
});

test("a covered activation belongs to the actor until the work is over, also if the work fails", async () => {
  const acting = createActingScope();
  const ada = actor("ada");
  const failing = acting.run(ada, async () => {
    acting.cover("act_1");
    await turn();
    expect(acting.coveredBy("act_1")).toEqual(ada);
    throw new Error("no");
  });
  expect(acting.coveredBy("act_1")).toEqual(ada);
  await expect(failing).rejects.toThrow("no");
  expect(acting.coveredBy("act_1")).toBeUndefined();
});
