/** An audit log over a store in memory, for tests that restart the daemon. */
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { AuditFacts, type HouseId } from "@hearth/protocol";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { toRow } from "../../people/records/record-rows.ts";
import { createFakeLog } from "../log/log.ts";
import type { Blobs } from "../store/blobs.ts";
import { createMemoryBlobs } from "../store/memory-blobs.ts";
import { createMemoryStore } from "../store/memory.ts";
import type { Store, Write } from "../store/store.ts";
import { openAudit, sealerOf } from "./audit.ts";
import { createMemoryKeys, type MemoryKeys } from "../../fixtures/audit-parts.ts";
import { ANNEX, hmac, HOUSE } from "./fixtures.conformance.ts";
import { type Anchor, createMemoryAnchor } from "./heads.ts";

const { hash, ids } = createBunWorld();
export { hash };

export const agentIn = (house: HouseId, name: string): Write => ({
  kind: "insert",
  table: "records",
  row: toRow({
    ...{ type: "agent", id: `agent_${name.padEnd(26, "0")}` as never, house, handle: name, version: 1 },
    ...{ createdAt: 1, updatedAt: 1, content: { name, kind: "bot" } },
  }),
});
export const houseNamed = (house: HouseId, createdAt: number): Write => ({
  kind: "insert",
  table: "records",
  row: toRow({
    ...{ type: "house", id: house, house, handle: house.slice(-1), version: 1, createdAt, updatedAt: 1 },
    content: { name: "H", timezone: "UTC" },
  }),
});

/** What survives a daemon. */
export interface AuditDisk {
  readonly store: Store;
  readonly anchor: Anchor;
  readonly blobs?: Blobs;
  readonly keys?: MemoryKeys;
}

/** Creates a store that seals with the keys of the daemon that runs. */
export const createDisk = (keys = createMemoryKeys(hmac)) => {
  let currentKeys = keys.open();
  const sealer = sealerOf({ confirmed: () => currentKeys.confirmed(), next: () => currentKeys.next() });
  const diskKeys: MemoryKeys = { ...keys, open: (disk) => (currentKeys = keys.open(disk)) };
  return { store: createMemoryStore({ sealer }), anchor: createMemoryAnchor(), keys: diskKeys };
};

export const setUp = async (disk: AuditDisk = createDisk(), segmentRows = 4) => {
  const { store: below, anchor, blobs = createMemoryBlobs(hash), keys = createMemoryKeys(hmac) } = disk;
  const world = { ...createFakeWorld({ hash, now: 1000 }), ids };
  const log = createFakeLog();
  const open = () => openAudit({ world, log, store: below, blobs, parts: { keys: keys.open(), anchor, segmentRows } });
  const audit = await open();
  return {
    audit,
    anchor,
    below,
    blobs,
    world,
    log,
    open,
    store: audit.store,
    /** Two houses with one bot each. */
    async furnish() {
      await audit.store.commit({ writes: [houseNamed(HOUSE, 1), agentIn(HOUSE, "main")] });
      await audit.store.commit({ writes: [houseNamed(ANNEX, 2), agentIn(ANNEX, "aide")] });
    },
    /** The facts and types of the rows after an offset. */
    async told(house = HOUSE, after = 0): Promise<readonly Readonly<Record<string, unknown>>[]> {
      const rows = await audit.page(house, after, 1000);
      return rows.map(({ type, body }) => ({ row: type, ...AuditFacts.parse(JSON.parse(body ?? "")) }));
    },
  };
};
