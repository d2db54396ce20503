/**
 * Derives the secret that a platform sends with its webhooks. Without a configured secret, it is
 * the HMAC-SHA-256 (RFC 2104) of the account's token. It is the same after every start and does not
 * reveal the token.
 */
import { hmacSha256 } from "../kernel/lazy.ts";
import type { World } from "@hearth/protocol";

const PURPOSE = new TextEncoder().encode("hearth webhook secret, version 1");

export const webhookSecretOf = (hash: World["hash"], token: string): string =>
  hmacSha256(hash, new TextEncoder().encode(token), PURPOSE).toHex();
