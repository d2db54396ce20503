/** Texts about stopped runs. Pure. */
import type { RoomRecord } from "@hearth/protocol";
import * as texts from "../text.ts";

/** Describes a stopped run. In a direct room, the current user stopped the agent. */
export const describeStopped = (name: string, { content: { kind } }: RoomRecord): string =>
  kind === "direct" ? texts.youStopped(name) : texts.wasStopped(name);
