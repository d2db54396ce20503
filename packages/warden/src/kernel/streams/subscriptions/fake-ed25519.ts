/** Insecure signatures for tests: the hash of the key and the text. */
import type { World } from "@hearth/protocol";
import type { Ed25519 } from "./signing.ts";

export const createFakeEd25519 = ({ hash, random }: Pick<World, "hash" | "random">): Ed25519 => ({
  generate() {
    const secret = hash(random(32));
    return { public: hash(secret), secret };
  },
  sign: ({ public: key }, text) => hash(JSON.stringify([key, text])),
});
