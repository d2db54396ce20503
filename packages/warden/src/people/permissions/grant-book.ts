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
  const ofAgents = createLoadCache<ReadonlyMap<string, GrantedLevel>>();
  const onPlaces = createLoadCache<ReadonlyMap<AgentId, Level>>();
  let version = 0;
  return {
    grantsOf: (agent) =>
      ofAgents.get(agent, async () => {
        const rows = await store.select({ table: "grants", where: { agent } });
        return new Map(rows.map((row) => [row.target, toHeld(row)]));
      }),

    levelsOn: (target) =>
      onPlaces.get(target, async () => {
        const rows = await store.select({ table: "grants", where: { target } });
        return new Map(rows.map((row) => [row.agent, row.level]));
      }),

    async otherAdmin(house, agent) {
      const admins = await store.select({ table: "grants", where: { target: house, level: "x" } });
      for (const row of admins) {
        if (row.agent === agent) continue;
        const [other] = await store.select({ table: "records", where: { id: row.agent, type: "agent" } });
        const record = other === undefined ? undefined : toRecord(other);
        if (record?.type === "agent" && record.content.kind === "human") return row;
      }
      return undefined;
    },

    drop() {
      version += 1;
      ofAgents.drop();
      onPlaces.drop();
    },

    version: () => version,
  };
};

const toHeld = ({ level, rights }: Row<"grants">): GrantedLevel => ({
  level,
  rights: rights === null ? [] : readJson(rights),
});
