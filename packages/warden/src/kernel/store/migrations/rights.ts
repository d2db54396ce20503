/** Rights of people beside their level on a house, in grants and in invite links. */
import type { SchemaStep } from "./step.ts";

export const rights: SchemaStep = {
  name: "0045-rights",
  statements: ["alter table grants add column rights text", "alter table invites add column rights text"],
};
