/** Seals of events, the stage that refused a call, and archived ranges of the audit log. */
import type { SchemaStep } from "./step.ts";

export const audit: SchemaStep = {
  name: "0009-audit",
  statements: ["alter table events add column seal text", "alter table steps add column refused_by text"],
};

export const auditSegments: SchemaStep = {
  name: "0026-audit-segments",
  statements: [
    `create table audit_segments (
      house text not null,
      after integer not null,
      through integer not null,
      blob text not null,
      size integer not null,
      at integer not null,
      primary key (house, after)
    ) strict, without rowid`,
    "create index audit_segments_blob on audit_segments (blob)",
  ],
};
