/** HMAC-SHA-256 on Bun. */
import type { Hmac } from "../../../kernel/store/seal.ts";

export const createBunHmac =
  (key: Uint8Array): Hmac =>
  (text) =>
    new Bun.CryptoHasher("sha256", key).update(text).digest("hex");
