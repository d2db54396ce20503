/** The entry of the area `turns`: exports what other areas use and every start loads. */
export type { Fates } from "./dispatch/fates.ts";
export { type Turns, openTurns } from "./open.ts";
export type { AgentStates } from "./queue/agent-states.ts";
export type { Stops } from "./queue/stops.ts";
export type { RestoreHold } from "./recovery/restore-hold.ts";
export type { StepPrompts } from "./run/step-prompts.ts";
export type { Activations } from "./run/activations.ts";
export { readIntakeStep, readModelStep, readToolStep } from "./run/step-output.ts";
