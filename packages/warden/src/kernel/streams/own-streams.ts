/** Byte streams and their subscriptions, created from their parts. */
import { createByteStreams, type ByteStreamsOptions } from "./bytes/house-byte-streams.ts";
import type { ByteStreams } from "./bytes/byte-streams.ts";
import { createSubscriptions, type SubscriptionsOptions } from "./subscriptions/house-subscriptions.ts";
import { createSigning, type Ed25519, type Signing } from "./subscriptions/signing.ts";
import type { Subscriptions } from "./subscriptions/subscriptions.ts";

export interface OwnStreams {
  readonly bytes: ByteStreams;
  readonly subscriptions: Subscriptions;
  readonly signing: Signing;
  /** The public URL of `/v1/stream`. */
  readonly root: () => string;
  /** Removes expired streams and wakes subscribers until `signal` aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

export const createOwnStreams = (
  options: ByteStreamsOptions &
    Omit<SubscriptionsOptions, "bytes" | "signing" | "root"> & {
      readonly ed25519: Ed25519;
      /** The API's own URL, once there is one. */
      readonly url: () => string;
    },
): OwnStreams => {
  const root = (): string => `${options.url()}/v1/stream`;
  const bytes = createByteStreams(options);
  const signing = createSigning(options);
  const subscriptions = createSubscriptions({ ...options, bytes, signing, root });
  return {
    bytes,
    subscriptions,
    signing,
    root,
    async run(signal) {
      await Promise.all([bytes.run(signal), subscriptions.run(signal)]);
    },
  };
};
