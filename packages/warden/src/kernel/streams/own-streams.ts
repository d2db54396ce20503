/** Streams of agents' own, and who is woken by them: the parts put together. */
import { createByteStreams, type ByteStreamsOptions } from "./bytes/house-byte-streams.ts";
import type { ByteStreams } from "./bytes/byte-streams.ts";
import { createSubscriptions, type SubscriptionsOptions } from "./subscriptions/house-subscriptions.ts";
import { createSigning, type Ed25519, type Signing } from "./subscriptions/signing.ts";
import type { Subscriptions } from "./subscriptions/subscriptions.ts";

export interface OwnStreams {
  readonly bytes: ByteStreams;
  readonly subscriptions: Subscriptions;
  readonly signing: Signing;
  /** The address of `/v1/stream`, as others reach it. */
  readonly root: () => string;
  /** Removes what is due and wakes who is to be woken, until `signal` aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

export const createOwnStreams = (
  options: ByteStreamsOptions &
    Omit<SubscriptionsOptions, "bytes" | "signing" | "root"> & {
      readonly ed25519: Ed25519;
      /** The port's own address, once there is one. */
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
