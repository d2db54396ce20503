/** Seals of events, and the stage that refused a call. */
import type { SchemaStep } from "./step.ts";

export const audit: SchemaStep = {
  name: "0009-audit",
  statements: ["alter table events add column seal text", "alter table steps add column refused_by text"],
};
