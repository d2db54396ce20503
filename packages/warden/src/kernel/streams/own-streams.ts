/** Byte streams and their subscriptions, created from their parts. */
import type { AgentId, HouseId, Level, World } from "@hearth/protocol";
import type { Log } from "../log/log.ts";
import type { Store } from "../store/store.ts";
import { createByteStreams } from "./bytes/house-byte-streams.ts";
import type { ByteStreams } from "./bytes/byte-streams.ts";
import type { DurableStreams } from "./streams.ts";
import { createSubscriptions } from "./subscriptions/house-subscriptions.ts";
import { createSigning, type Ed25519, type Signing } from "./subscriptions/signing.ts";
import type { Subscriptions } from "./subscriptions/subscriptions.ts";

export interface OwnStreams {
  readonly bytes: ByteStreams;
  readonly subscriptions: Subscriptions;
  readonly signing: Signing;
  /** Returns the public URL of `/v1/stream`. */
  readonly root: () => string;
  /** Removes expired streams and wakes subscribers until `signal` aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

export interface OwnStreamsOptions {
  readonly world: Pick<World, "clock" | "ids" | "random" | "hash" | "fetch">;
  readonly log: Log;
  readonly store: Store;
  readonly streams: DurableStreams;
  readonly ed25519: Ed25519;
  /** Returns the URL of the API, once there is one. */
  readonly url: () => string;
  /** The epoch that is added to every offset sent. Absent if offsets have no epoch. */
  readonly epoch?: string;
  /** Removes blobs to which no row refers. */
  readonly release: (blobs: readonly string[]) => Promise<void>;
  /** Whether an agent still has a level on a house. */
  readonly mayReach: (agent: AgentId, level: Level, house: HouseId) => Promise<boolean>;
}

export const createOwnStreams = (options: OwnStreamsOptions): OwnStreams => {
  const rootUrl = (): string => `${options.url()}/v1/stream`;
  const bytes = createByteStreams(options);
  const signing = createSigning(options);
  const subscriptions = createSubscriptions({ ...options, bytes, signing, root: rootUrl });
  return {
    bytes,
    subscriptions,
    signing,
    root: rootUrl,
    async run(signal) {
      await Promise.all([bytes.run(signal), subscriptions.run(signal)]);
    },
  };
};
