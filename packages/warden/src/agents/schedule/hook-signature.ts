/**
 * How whoever calls a job's webhook proves that they hold its key: as the Standard Webhooks specification 1.0 says it, HMAC-SHA-256 over
 * `webhook-id`, `webhook-timestamp` and the body, joined by dots.
 */
import { hmacSha256, isSame } from "../../kernel/lazy.ts";
import { HearthError, HOOK_TOLERANCE_MS, type World } from "@hearth/protocol";

/** What is signed, as it came. */
export interface Signed {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

const PREFIX = "whsec_";
/** Bytes of a key: as many as the hash has. */
const KEY_SIZE = 32;
/** Longer ones are nobody's. */
const MAX_ID = 256;
/** A sender that changes its key signs with both. */
const MAX_SIGNATURES = 8;

export const newHookSecret = (random: World["random"]): string => `${PREFIX}${random(KEY_SIZE).toBase64()}`;

/** The id of the delivery. Throws `job.unverified`, in the same words whatever does not fit. */
export const readSignature = (hash: World["hash"], secret: string, { headers, body }: Signed): string => {
  const id = headers.get("webhook-id") ?? "";
  const seconds = headers.get("webhook-timestamp") ?? "";
  const given = (headers.get("webhook-signature") ?? "").split(" ", MAX_SIGNATURES);
  const key = Uint8Array.fromBase64(secret.slice(PREFIX.length));
  const head = new TextEncoder().encode(`${id}.${seconds}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  const right = new TextEncoder().encode(`v1,${hmacSha256(hash, key, signed).toBase64()}`);
  // All are looked at: how long it takes says nothing of which one fits.
  const fits = given.map((one) => isSame(new TextEncoder().encode(one), right));
  const isWhole = id !== "" && id.length <= MAX_ID && /^[\x21-\x7e]+$/.test(id) && /^\d{1,12}$/.test(seconds);
  if (!isWhole || !fits.includes(true)) throw unverified();
  return id;
};

/** Throws `job.unverified` when it was signed too long ago, or is yet to be. Looked at once the signature fits. */
export const checkTimestamp = (headers: Headers, now: number): void => {
  const at = Number(headers.get("webhook-timestamp")) * 1000;
  if (Math.abs(now - at) <= HOOK_TOLERANCE_MS) return;
  throw new HearthError(
    "job.unverified",
    `Its webhook-timestamp is more than ${HOOK_TOLERANCE_MS / 60_000} minutes away from this house's clock.`,
    { hint: "Sign it when it is sent, and look at the clocks of both machines." },
  );
};

export const unverified = (): HearthError =>
  new HearthError("job.unverified", "This is no webhook of this house, or its signature does not fit.", {
    hint: "Sign it as Standard Webhooks says: webhook-id, webhook-timestamp, and webhook-signature with v1 and the key.",
  });
