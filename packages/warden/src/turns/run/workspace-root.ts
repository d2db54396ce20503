/** Which part of an agent's workspace the cells of an audience have. */
import { EVERYTHING } from "../../policy/index.ts";
import type { Audience } from "@hearth/protocol";

/** Relative to the workspace of the private audience, which holds those of rooms. */
export const rootOf = (audience: Audience): string =>
  audience === "private" ? EVERYTHING : `rooms/${audience.slice("room:".length)}`;
