/** Hostile cells: attempts to leave a cell, their targets on the host, and a hostile inmate. */
export { carryPerl } from "./carried-perl.ts";
export { type Escape, programsOf, rarePrograms, type Surroundings, type SystemCall } from "./escape.ts";
export { describeEscapes, escapes, type PromisedWalls, promisedWalls } from "./escapes.ts";
export { playHostile } from "./hostile-inmate.ts";
export { createCellSurroundings } from "./surroundings.ts";
