/**
 * What a platform proves itself with when it calls. Where the config names no secret of its own, it is made from the account's token by
 * HMAC-SHA-256 (RFC 2104): the same after every start, and nothing that whoever sees it could turn back into the token.
 */
import { hmacSha256 } from "../kernel/lazy.ts";
import type { World } from "@hearth/protocol";

const PURPOSE = new TextEncoder().encode("hearth webhook secret, version 1");

export const webhookSecretOf = (hash: World["hash"], token: string): string =>
  hmacSha256(hash, new TextEncoder().encode(token), PURPOSE).toHex();
