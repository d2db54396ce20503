/** The last use of each API key. */
import type { SchemaStep } from "./step.ts";

export const keyUses: SchemaStep = {
  name: "0050-key-uses",
  statements: [
    `create table key_uses (
      id text not null primary key,
      agent text not null,
      used_at integer not null
    ) strict, without rowid`,
  ],
};
