/** Seals of events that show when they were changed; and of a call that was refused, by which stage. */
import type { SchemaStep } from "./step.ts";

export const audit: SchemaStep = {
  name: "0009-audit",
  statements: ["alter table events add column seal text", "alter table steps add column refused_by text"],
};
