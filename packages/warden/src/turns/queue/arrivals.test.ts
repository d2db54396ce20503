import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createFakeLog } from "../../kernel/log/log.ts";
import { insertActivation } from "../../kernel/store/conformance/rows.conformance.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import type { Row } from "../../kernel/store/tables/tables.ts";
import { createActivationQueues } from "./activation-queues.ts";
import { createArrivals } from "./arrivals.ts";
import { createRunningActivations } from "./running-activations.ts";

test("an ambient activation announces the waiting one that it replaces, so that its waiters return", () => {
  const world = createFakeWorld({ hash: String });
  const replaced: string[] = [];
  const arrivals = createArrivals({
    kernel: { world, log: createFakeLog(), store: createMemoryStore() },
    records: { find: async () => undefined },
    lanes: createActivationQueues<Row<"activations">>(),
    running: createRunningActivations(),
    lifecycle: { notifyQueued() {} },
    onReplaced: (id) => void replaced.push(id),
  });
  const ambient = (id: string): Row<"activations"> => {
    const insert = insertActivation(id);
    if (insert.kind !== "insert" || insert.table !== "activations") throw new Error("no insert");
    return { ...insert.row, fence: 0, created_at: world.clock.now(), ready_at: world.clock.now() + 1000 };
  };
  arrivals.wake([ambient("one")]);
  arrivals.wake([ambient("two")]);
  expect<readonly string[]>(replaced).toEqual(["one"]);
  arrivals.delayed.close();
});
