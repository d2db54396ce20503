/** Activations that are tried again: by themselves after a failure that may pass, or because a person asks. */
import type { SchemaStep } from "./step.ts";

export const retries: SchemaStep = {
  name: "0019-activation-retries",
  statements: [
    "alter table activations add column progress integer not null default 0",
    "alter table activations add column retries integer not null default 0",
    "alter table activations add column retry_at integer not null default 0",
    "alter table activations add column retried_by text",
  ],
};
