import { createBunClock } from "@hearth/inmate/bun/clock";
import { bootInmate } from "@hearth/inmate/bun/boot";
import { backendConformance } from "./backend.conformance.ts";
import { createInlineBackend } from "./inline.ts";

backendConformance("inline", () =>
  createInlineBackend({ boot: (cell) => bootInmate({ ...cell, clock: createBunClock() }) }),
);
