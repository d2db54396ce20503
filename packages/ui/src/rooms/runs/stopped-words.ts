/** Texts about stopped runs. Pure. */
import type { RoomRecord } from "@hearth/protocol";

/** Describes a stopped run. In a direct room, the current user stopped the agent. */
export const describeStopped = (name: string, { content: { kind } }: RoomRecord): string =>
  kind === "direct" ? `You stopped ${name}.` : `${name} was stopped.`;
