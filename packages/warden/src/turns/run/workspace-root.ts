/** Which part of an agent's workspace the cells of an audience have. */
import type { Audience } from "@hearth/protocol";
import { EVERYTHING } from "../../policy/taint/file-labels.ts";

/** Relative to the workspace of the private audience, which holds those of rooms. */
export const rootOf = (audience: Audience): string =>
  audience === "private" ? EVERYTHING : `rooms/${audience.slice("room:".length)}`;
