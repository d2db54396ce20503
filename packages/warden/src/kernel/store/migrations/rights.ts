/** Rights of people beside their level on a house. */
import type { SchemaStep } from "./step.ts";

export const rights: SchemaStep = {
  name: "0045-rights",
  statements: ["alter table grants add column rights text"],
};
