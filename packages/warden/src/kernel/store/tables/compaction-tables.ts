/** The table of compactions: stretches of a room that are replaced by summaries for an agent. */
import type { ActivationId, AgentId, CompactionState, KeptFile, Label, RoomId, Usage } from "@hearth/protocol";
import { integer, json, nullable, table, text } from "./table.ts";

export const compactionTables = {
  compactions: table({
    columns: {
      agent: text<AgentId>(),
      room: text<RoomId>(),
      /** Increases by one per agent and room. */
      place: integer(),
      state: text<CompactionState>(),
      reason: nullable(text()),
      /** For one that a person requested: how many of the last messages stay. */
      keep: nullable(integer()),
      /** Null: it has not begun. */
      activation: nullable(text<ActivationId>()),
      /** The events after this one, through `through`. 0 and 0 until it begins. */
      after: integer(),
      through: integer(),
      /** The room's last offset when they were read. */
      head: integer(),
      messages: integer(),
      tokens: nullable(integer()),
      /** The blob of the summary's text. */
      summary: nullable(text()),
      labels: nullable(json<Label>()),
      files: json<readonly KeptFile[]>(),
      usage: json<Usage>(),
      at: integer(),
      ended_at: nullable(integer()),
    },
    key: ["agent", "room", "place"],
    indexes: {
      compactions_activation: { on: ["activation"], where: { column: "activation", is: "not null" } },
      compactions_summary: { on: ["summary"], where: { column: "summary", is: "not null" } },
    },
    blob: { column: "summary" },
    owner: { by: "room", column: "room" },
    growsWith: "use",
  }),
};
