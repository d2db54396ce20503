/** Texts about stopped runs. Pure. */
import type { RoomRecord } from "@hearth/protocol";

/** In a direct room only the current user can have stopped the agent. */
export const describeStopped = (name: string, { content: { kind } }: RoomRecord): string =>
  kind === "direct" ? `You stopped ${name}.` : `${name} was stopped.`;
