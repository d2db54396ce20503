/** Reads grants with a cache. Code that changes grants or their targets empties the cache. */
import { readJson, type Row, type Store } from "../../kernel/index.ts";
import type { AgentId, HouseId, Level, Place, Right } from "@hearth/protocol";
import { createLoadCache } from "../records/load-cache.ts";
import { toRecord } from "../records/record-rows.ts";

/** The level and the rights of one grant. */
export interface GrantedLevel {
  readonly level: Level;
  readonly rights: readonly Right[];
}

export interface GrantBook {
  /** Returns an agent's grants by place. */
  grantsOf(agent: AgentId): Promise<ReadonlyMap<string, GrantedLevel>>;
  /** Returns the levels on one place by agent. */
  levelsOn(target: Place): Promise<ReadonlyMap<AgentId, Level>>;
  /** Returns another person with `x` on the house. It is not cached, because it guards a change. */
  otherAdmin(house: HouseId, agent: AgentId): Promise<Row<"grants"> | undefined>;
  drop(): void;
  /** Increases with each change. */
  version(): number;
}

export const createGrantBook = (store: Store): GrantBook => {
  const grantCache = createLoadCache<ReadonlyMap<string, GrantedLevel>>();
  const levelCache = createLoadCache<ReadonlyMap<AgentId, Level>>();
  let version = 0;
  return {
    grantsOf: (agent) =>
      grantCache.get(agent, async () => {
        const rows = await store.select({ table: "grants", where: { agent } });
        return new Map(rows.map((row) => [row.target, toGrantedLevel(row)]));
      }),

    levelsOn: (target) =>
      levelCache.get(target, async () => {
        const rows = await store.select({ table: "grants", where: { target } });
        return new Map(rows.map((row) => [row.agent, row.level]));
      }),

    async otherAdmin(house, agent) {
      const admins = await store.select({ table: "grants", where: { target: house, level: "x" } });
      for (const row of admins) {
        if (row.agent === agent) continue;
        const [recordRow] = await store.select({ table: "records", where: { id: row.agent, type: "agent" } });
        const record = recordRow === undefined ? undefined : toRecord(recordRow);
        if (record?.type === "agent" && record.content.kind === "human") return row;
      }
      return undefined;
    },

    drop() {
      version += 1;
      grantCache.drop();
      levelCache.drop();
    },

    version: () => version,
  };
};

const toGrantedLevel = ({ level, rights }: Row<"grants">): GrantedLevel => ({
  level,
  rights: rights === null ? [] : readJson(rights),
});
