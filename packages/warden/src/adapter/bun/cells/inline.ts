/** The `inline` backend with the real inmate, which runs in the daemon's process. */
import { bootInmate } from "@hearth/inmate/bun/boot";
import type { Clock } from "@hearth/protocol";
import type { CellBackend } from "../../../cells/backend.ts";
import { createInlineBackend } from "../../../cells/inline.ts";

export const createBunInlineBackend = (clock: Clock): CellBackend =>
  createInlineBackend({ boot: (cell) => bootInmate({ ...cell, clock }) });
