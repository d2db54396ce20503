/** A connection to an upstream that serves several requests and counts their bytes. */
import { DEFAULT_PORTS, bareHost, type Origin } from "../../policy/index.ts";
import { type Clock, HearthError } from "@hearth/protocol";
import { type ByteReader, createByteReader } from "./byte-reader.ts";
import { withDeadline } from "./deadline.ts";
import type { Connection, Network } from "./network/network.ts";
import { resolveDialable, type Resolver } from "./network/resolver.ts";
import type { Allowance } from "./grant-usage.ts";

/** Bytes of one request and its response. */
export interface Meter {
  readonly allowance: Allowance;
  sent: number;
  received: number;
}

/** The connection while a request uses it. */
export interface RequestConnection {
  readonly reader: ByteReader;
  /** Throws `egress.refused` when the grant's bytes are used up. */
  write(bytes: Uint8Array): Promise<void>;
}

export interface ConnectOptions {
  readonly signal: AbortSignal;
  /** Whether only public addresses may be dialled, whatever the config allows. */
  readonly isPublic: boolean;
}

export interface UpstreamConnection {
  /**
   * Returns the same connection as before if it leads to `origin`, or opens a new one. Its bytes
   * count for `meter`. Throws `egress.refused`, `egress.failed`.
   */
  connect(origin: Origin, meter: Meter, options: ConnectOptions): Promise<RequestConnection>;
  /** Closes the connection. */
  drop(): void;
}

export interface UpstreamConnectionOptions {
  readonly clock: Clock;
  readonly network: Network;
  readonly resolver: Resolver;
  readonly mayDial: (address: string, isPublic: boolean) => boolean;
}

const DIAL_TIMEOUT_MS = 15_000;
const RESOLVE_TIMEOUT_MS = 10_000;
/** Maximum number of addresses of one host that are dialled. */
const MAX_DIALLED_ADDRESSES = 4;

export const createUpstreamConnection = ({
  clock,
  network,
  resolver,
  mayDial,
}: UpstreamConnectionOptions): UpstreamConnection => {
  let current: { readonly to: string; readonly connection: Connection; readonly reader: ByteReader } | undefined;
  let meter: Meter | undefined;

  const dial = async (origin: Origin, { signal, isPublic }: ConnectOptions): Promise<Connection> => {
    const { scheme, host, port } = origin;
    const resolving = resolveDialable(host, { resolver, mayDial: (address) => mayDial(address, isPublic) });
    const addresses = await withDeadline(clock, RESOLVE_TIMEOUT_MS, `Resolving ${host}`, resolving, signal);
    let failure: unknown;
    for (const address of addresses.slice(0, MAX_DIALLED_ADDRESSES)) {
      const deadline = new AbortController();
      const request = { address, port, ...(scheme === "https" ? { tlsHost: bareHost(host) } : {}) };
      const dialled = network.dial(request, AbortSignal.any([signal, deadline.signal]));
      try {
        return await withDeadline(clock, DIAL_TIMEOUT_MS, `Connecting to ${host}`, dialled, signal);
      } catch (error) {
        deadline.abort();
        // If the dial succeeds after its deadline, the connection is closed.
        dialled.then((connection) => connection.reset()).catch(() => {});
        failure = error;
      }
      if (signal.aborted) break;
    }
    throw failure;
  };

  const drop = (): void => {
    current?.connection.reset();
    current = undefined;
  };

  async function* countReceived(connection: Connection): AsyncGenerator<Uint8Array> {
    for await (const bytes of connection.bytes) {
      count(bytes.length, "received");
      yield bytes;
    }
  }
  const count = (size: number, direction: "sent" | "received"): void => {
    if (meter !== undefined) countBytes(meter, size, direction);
  };

  return {
    drop,
    async connect(origin, requestMeter, options) {
      const to = `${origin.scheme} ${origin.host} ${origin.port} ${options.isPublic}`;
      if (current !== undefined && current.to !== to) drop();
      meter = requestMeter;
      if (current === undefined) {
        const connection = await dial(origin, options);
        current = { to, connection, reader: createByteReader(countReceived(connection)) };
      }
      const { connection, reader } = current;
      return {
        reader,
        async write(bytes) {
          if (bytes.length === 0) return;
          count(bytes.length, "sent");
          await connection.write(bytes);
        },
      };
    },
  };
};

/** Counts the bytes. Throws `egress.refused` if the grant's bytes are used up. */
export const countBytes = (meter: Meter, size: number, direction: "sent" | "received"): void => {
  // Sent bytes need a remaining allowance. Received bytes have already arrived.
  if (direction === "sent" && meter.allowance.left() < size) throw grantUsedUpError();
  meter[direction] += size;
  meter.allowance.use(size);
  if (meter.allowance.left() < 0) throw grantUsedUpError();
};

const grantUsedUpError = (): HearthError =>
  new HearthError("egress.refused", "This turn has used up the bytes of its grant.");

/** Returns the value of a `Host` header. */
export const hostHeader = ({ scheme, host, port }: Origin): string =>
  port === DEFAULT_PORTS[scheme] ? host : `${host}:${port}`;
