/** Implements HMAC-SHA-256 on Bun. */
import { createHmac } from "node:crypto";
import type { Hmac } from "../../../kernel/store/seal.ts";

/**
 * Uses Node's function. A keyed `Bun.CryptoHasher` reports an older error of another cryptographic
 * function as its own, for example a refused public key.
 */
export const createBunHmac =
  (key: Uint8Array): Hmac =>
  (text) =>
    createHmac("sha256", key).update(text).digest("hex");
