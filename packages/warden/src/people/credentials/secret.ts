/** Generates secrets: 32 random bytes as base64url. */
import type { World } from "@hearth/protocol";

export const newSecret = (world: Pick<World, "random">): string =>
  btoa(String.fromCharCode(...world.random(32)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
