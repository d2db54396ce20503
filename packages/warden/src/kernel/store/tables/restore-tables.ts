/** The tables that distinguish a restored or copied database from the one that clients know. */
import type { AgentId, HouseId, RestoreDecision, RestoreFindingKind } from "@hearth/protocol";
import { integer, nullable, table, text } from "./table.ts";

export const restoreTables = {
  /** One row: the random id that the database got at its first start. */
  epochs: table({
    columns: {
      epoch: text(),
      at: integer(),
    },
    key: ["epoch"],
    owner: "home",
    growsWith: "setup",
  }),
  /**
   * One row: the start of the house that last wrote this file. It detects a SQLite log of another
   * file.
   */
  generations: table({
    columns: {
      generation: text(),
    },
    key: ["generation"],
    owner: "home",
    growsWith: "setup",
  }),
  /** Signs that the home was restored or copied, one row each, with the owner's decision. */
  restore_findings: table({
    columns: {
      /** Derived from the sign, so that each is one row. */
      id: text(),
      house: nullable(text<HouseId>()),
      kind: text<RestoreFindingKind>(),
      /** For people. */
      detail: text(),
      found_at: integer(),
      /** Null: the house is on hold. */
      decision: nullable(text<RestoreDecision>()),
      by: nullable(text<AgentId>()),
      decided_at: nullable(integer()),
    },
    key: ["id"],
    owner: "home",
    growsWith: "setup",
  }),
};
