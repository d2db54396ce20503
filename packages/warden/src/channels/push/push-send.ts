/** Sends one notification to one device: encrypted for it (RFC 8291), signed by the house (RFC 8292). */
import type { Row } from "../../kernel/index.ts";
import { isHearthError, type PushPayload, type World } from "@hearth/protocol";
import { type EndpointRules, requirePushEndpoint } from "./push-endpoint.ts";
import type { PushKeyPair } from "./push-key.ts";
import { authorize, createPair, encryptFor } from "./push-message.ts";

/**
 * The outcome. `gone` means that the subscription has ended, and `later` that a retry may succeed.
 */
export type PushOutcome = "sent" | "gone" | "later" | "refused";

export interface PushSendOptions {
  readonly world: Pick<World, "clock" | "fetch" | "random">;
  readonly subtle: SubtleCrypto;
  readonly rules: EndpointRules;
  /**
   * Returns the key of the house, or undefined if the house has none. Every subscription is then
   * from another house.
   */
  readonly key: () => Promise<PushKeyPair | undefined>;
  /** A URL or a mail address for the operators of push services. */
  readonly contact: () => string;
}

export interface PushParcel {
  readonly payload: PushPayload;
  /** A later notification with the same topic replaces one that the service still holds. */
  readonly topic: string;
}

export type PushSend = (
  device: Pick<Row<"push_devices">, "endpoint" | "p256dh" | "auth">,
  parcel: PushParcel,
) => Promise<PushOutcome>;

/**
 * Time for which a push service keeps a notification for a device that is off. It is also the
 * maximum age of an event.
 */
export const TTL_MS = 60 * 60_000;
const TIMEOUT_MS = 10_000;
const TOKEN_LIFETIME_MS = 12 * 60 * 60_000;
const SECOND_MS = 1000;
const SALT_SIZE = 16;

export const createPushSend =
  ({ world: { clock, fetch, random }, subtle, rules, key, contact }: PushSendOptions): PushSend =>
  async ({ endpoint, p256dh, auth }, { payload, topic }) => {
    const ownKey = await key();
    if (ownKey === undefined) return "gone";
    const endController = new AbortController();
    const timeoutController = new AbortController();
    const timeout = clock.sleep(TIMEOUT_MS, endController.signal).then(() => timeoutController.abort());
    try {
      await requirePushEndpoint(endpoint, rules);
      const exp = Math.floor((clock.now() + TOKEN_LIFETIME_MS) / SECOND_MS);
      const response = await fetch(endpoint, {
        method: "POST",
        headers: {
          authorization: await authorize(subtle, ownKey, { aud: new URL(endpoint).origin, exp, sub: contact() }),
          "content-encoding": "aes128gcm",
          "content-type": "application/octet-stream",
          ttl: String(TTL_MS / SECOND_MS),
          urgency: "high",
          topic,
        },
        body: await encryptFor(subtle, { p256dh, auth }, JSON.stringify(payload), {
          salt: random(SALT_SIZE),
          pair: await createPair(subtle),
        }),
        // A redirect could lead to an address that was not checked.
        redirect: "manual",
        signal: timeoutController.signal,
      });
      // The answer is not read, because it can be of any length.
      await response.body?.cancel();
      return toOutcome(response.status);
    } catch (error) {
      // `DataError`: the key of the device is not a point of the curve.
      const isFinal = isHearthError(error, "request.invalid") || (error as Error).name === "DataError";
      return isFinal ? "refused" : "later";
    } finally {
      endController.abort();
      await timeout;
    }
  };

const toOutcome = (status: number): PushOutcome => {
  if (status >= 200 && status < 300) return "sent";
  if (status === 404 || status === 410) return "gone";
  return status === 429 || status >= 500 ? "later" : "refused";
};
