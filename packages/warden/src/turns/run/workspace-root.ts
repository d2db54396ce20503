/** Maps an audience to the part of an agent's workspace that its cells see. */
import { EVERYTHING } from "../../policy/index.ts";
import type { Audience } from "@hearth/protocol";

/** Returns the path, relative to the workspace of the private audience, which contains those of rooms. */
export const workspaceRootOf = (audience: Audience): string =>
  audience === "private" ? EVERYTHING : `rooms/${audience.slice("room:".length)}`;
