/**
 * Verifies the signature of a webhook call as in Standard Webhooks 1.0: HMAC-SHA-256 over
 * `webhook-id`, `webhook-timestamp` and the body, joined by dots.
 */
import { hmacSha256, timingSafeEqual } from "../../kernel/lazy.ts";
import { HearthError, HOOK_TOLERANCE_MS, type World } from "@hearth/protocol";

/** The signed request, as received. */
export interface SignedHookRequest {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

const PREFIX = "whsec_";
/** Key size in bytes, which is the size of the hash. */
const KEY_SIZE = 32;
/** Maximum length of an id. */
const MAX_ID_LENGTH = 256;
/** Maximum number of signatures. A sender that rotates its key signs with both keys. */
const MAX_SIGNATURES = 8;

export const newHookSecret = (random: World["random"]): string => `${PREFIX}${random(KEY_SIZE).toBase64()}`;

/** Returns the delivery id. Throws `job.unverified` with the same message for every mismatch. */
export const readSignature = (hash: World["hash"], secret: string, { headers, body }: SignedHookRequest): string => {
  const id = headers.get("webhook-id") ?? "";
  const seconds = headers.get("webhook-timestamp") ?? "";
  const signatures = (headers.get("webhook-signature") ?? "").split(" ", MAX_SIGNATURES);
  const key = Uint8Array.fromBase64(secret.slice(PREFIX.length));
  const head = new TextEncoder().encode(`${id}.${seconds}.`);
  const signedBytes = new Uint8Array(head.length + body.length);
  signedBytes.set(head);
  signedBytes.set(body, head.length);
  const expected = new TextEncoder().encode(`v1,${hmacSha256(hash, key, signedBytes).toBase64()}`);
  // All signatures are compared, so that the response time does not reveal which one matches.
  const matches = signatures.map((signature) => timingSafeEqual(new TextEncoder().encode(signature), expected));
  const isComplete = id !== "" && id.length <= MAX_ID_LENGTH && /^[\x21-\x7e]+$/.test(id) && /^\d{1,12}$/.test(seconds);
  if (!isComplete || !matches.includes(true)) throw unverifiedError();
  return id;
};

/**
 * Throws `job.unverified` if the timestamp is too old or in the future. The caller uses this after
 * the signature has matched.
 */
export const checkTimestamp = (headers: Headers, now: number): void => {
  const at = Number(headers.get("webhook-timestamp")) * 1000;
  if (Math.abs(now - at) <= HOOK_TOLERANCE_MS) return;
  throw new HearthError(
    "job.unverified",
    `The webhook-timestamp differs from the clock of this house by more than ${HOOK_TOLERANCE_MS / 60_000} minutes.`,
    { hint: "Sign each request when you send it, and check the clocks of both machines." },
  );
};

export const unverifiedError = (): HearthError =>
  new HearthError("job.unverified", "Unknown webhook, or its signature does not match.", {
    hint: "Sign as Standard Webhooks specifies: webhook-id, webhook-timestamp, and webhook-signature with v1 and the key.",
  });
