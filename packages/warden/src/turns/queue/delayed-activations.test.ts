import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { insertActivation } from "../../kernel/store/conformance/rows.conformance.ts";
import type { Row } from "../../kernel/store/tables/tables.ts";
import { createDelayedActivations } from "./delayed-activations.ts";

const open = () => {
  const world = createFakeWorld({ hash: String });
  let [offset, asleep] = [0, 0];
  const clock = {
    ...world.clock,
    now: () => world.clock.now() + offset,
    async sleep(ms: number, signal?: AbortSignal) {
      asleep += 1;
      await world.clock.sleep(ms, signal);
      asleep -= 1;
    },
  };
  const ready: string[] = [];
  const unready = createDelayedActivations(clock, ({ id }) => void ready.push(id));
  const row = (id: string, ms: number): Row<"activations"> => {
    const insert = insertActivation(id);
    if (insert.kind !== "insert" || insert.table !== "activations") throw new Error("no insert");
    return { ...insert.row, created_at: clock.now(), ready_at: clock.now() + ms };
  };
  return {
    ...{ world, ready, unready, row },
    asleep: () => asleep,
    setClock: (byMs: number) => {
      offset += byMs;
    },
  };
};

test("each activation becomes ready at its time, the earliest first, with one timer", async () => {
  const { world, ready, unready, row, asleep } = open();
  unready.add("a", row("late", 300));
  unready.add("b", row("soon", 100));
  unready.add("c", row("soon too", 100));
  await world.clock.turn();
  expect(asleep()).toBe(1);
  await world.advance(99);
  expect(ready).toEqual([]);
  await world.advance(1);
  expect(ready).toEqual(["soon", "soon too"]);
  await world.advance(200);
  expect(ready).toEqual(["soon", "soon too", "late"]);
  expect(asleep()).toBe(0);
});

test("a later activation replaces the one in its lane and uses its own time", async () => {
  const { world, ready, unready, row } = open();
  expect(unready.add("a", row("one", 100))).toBeUndefined();
  await world.advance(60);
  expect(unready.add("a", row("two", 100))).toMatchObject({ id: "one" });
  await world.advance(60);
  expect(ready).toEqual([]);
  await world.advance(40);
  expect(ready).toEqual(["two"]);
});

test("an activation that was taken out never becomes ready", async () => {
  const { world, ready, unready, row } = open();
  unready.add("a", row("one", 100));
  expect<string | undefined>(unready.take("one")?.id).toBe("one");
  expect(unready.take("one")).toBeUndefined();
  await world.advance(1000);
  expect(ready).toEqual([]);
});

test("setting the wall clock never repeats an activation or lengthens its wait", async () => {
  for (const byMs of [3_600_000, -3_600_000]) {
    const { world, ready, unready, row, setClock } = open();
    unready.add("a", row("before", 100));
    const taken = row("taken up", 100);
    setClock(byMs);
    // As after a restart: the row was written under the other clock.
    unready.add("b", taken);
    await world.advance(100);
    expect(ready.toSorted()).toEqual(["before", "taken up"]);
    await world.advance(7_200_000);
    expect(ready).toHaveLength(2);
  }
});

test("no timer fires after close", async () => {
  const { world, ready, unready, row, asleep } = open();
  unready.add("a", row("one", 100));
  unready.close();
  unready.add("b", row("two", 100));
  await world.advance(1000);
  expect([ready, asleep()]).toEqual([[], 0]);
});
