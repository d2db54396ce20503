/** What is said of an agent that a person stopped. Pure. */
import type { RoomRecord } from "@hearth/protocol";

/** In a direct room only the person can have stopped it. */
export const tellStopped = (name: string, { content: { kind } }: RoomRecord): string =>
  kind === "direct" ? `You stopped ${name}.` : `${name} was stopped.`;
