import { expect, test } from "bun:test";
import type { HouseId } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeLog } from "../../kernel/log/log.ts";
import { TURN } from "./budget-ledger.ts";
import type { Limit } from "./budget-limits.ts";
import { createWarnings, MAX_CACHED_LIMITS } from "./budget-warnings.ts";

/** Warnings about turns, each of which has used up its budget. */
const open = () => {
  const stored = new Set<string>();
  let appends = 0;
  const failing = { isDown: false };
  const log = createFakeLog();
  const warn = createWarnings({
    world: createFakeWorld(createBunWorld()),
    log,
    streams: {
      async append({ id }) {
        appends += 1;
        if (failing.isDown) throw new Error("the disk is full");
        const kind = stored.has(id) ? "duplicate" : "appended";
        stored.add(id);
        return { kind, offset: 1 } as never;
      },
    },
    ledger: { tally: () => ({ spent: { tokens: 100, money: 0 }, reserved: { tokens: 0, money: 0 } }) },
    home: "house_1" as HouseId,
  });
  const turn = (index: number): Limit => ({
    ...{ kind: "house", span: "turn", scope: `act_${index}`, period: TURN, limit: { tokens: 100 }, atLimit: "stop" },
  });
  return { log, failing, warn: (index: number) => warn([turn(index)]), appends: () => appends, stored };
};

test("a limit is reported once, however often it is looked at", async () => {
  const { warn, appends, stored } = open();
  for (const index of [1, 1, 2, 1, 2]) warn(index);
  await until(() => stored.size === 2);
  expect(appends()).toBe(2);
});

test("only the newest limits are remembered, and a warning about a forgotten one is not repeated", async () => {
  const { log, warn, appends, stored } = open();
  for (let index = 0; index <= MAX_CACHED_LIMITS; index += 1) warn(index);
  await until(() => log.lines.length === MAX_CACHED_LIMITS + 1);
  warn(MAX_CACHED_LIMITS);
  warn(1);
  expect(appends()).toBe(MAX_CACHED_LIMITS + 1);
  warn(0);
  await until(() => appends() === MAX_CACHED_LIMITS + 2);
  expect([stored.size, log.lines.length]).toEqual([MAX_CACHED_LIMITS + 1, MAX_CACHED_LIMITS + 1]);
});

test("a warning that could not be written is tried again with the next call", async () => {
  const { log, failing, warn, appends, stored } = open();
  failing.isDown = true;
  warn(1);
  await until(() => log.lines.length === 1);
  failing.isDown = false;
  warn(1);
  await until(() => stored.size === 1);
  expect(appends()).toBe(2);
});
