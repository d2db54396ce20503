/** What the house's port needs of the house, and what it gives the adapter that owns the real port. */
import type { Check, LoginLink, Status, World } from "@hearth/protocol";
import type { Activations } from "../activations/activations.ts";
import type { Keys } from "../identity/keys.ts";
import type { Logins } from "../identity/logins.ts";
import type { Principal } from "../identity/principal.ts";
import type { Records } from "../identity/records.ts";
import type { Catalog } from "../providers/catalog.ts";
import type { Rooms } from "../rooms/rooms.ts";
import type { DurableStreams, MemoryStreams } from "../streams/streams.ts";
import type { Log } from "../observe/log.ts";

export interface HttpOptions {
  readonly world: World;
  readonly log: Log;
  readonly records: Records;
  readonly rooms: Rooms;
  readonly streams: DurableStreams;
  /** `deltas:` and `live:` streams. */
  readonly memory: MemoryStreams;
  readonly activations: Activations;
  readonly keys: Keys;
  readonly logins: Logins;
  readonly providers: Catalog;
  /** The owner's token of this start, for the CLI on this machine: who it stands for, or nobody. */
  readonly runToken: (token: string) => Promise<Principal | undefined>;
  /** `host:port` values that a request may name. Asked on each request: the port is known late. */
  readonly hosts: () => readonly string[];
  readonly status: () => Promise<Status>;
  readonly doctor: () => Promise<readonly Check[]>;
  readonly loginLink: (principal: Principal) => Promise<LoginLink>;
  /** Whether it takes work: it has started, and what it is told can be kept. */
  readonly ready: () => Promise<boolean>;
  /** Begins an orderly end of the daemon and returns at once. */
  readonly stop: () => void;
}

/** Who is asking, and whether the credential that says so still holds. */
export interface Caller {
  readonly principal: Principal;
  /** Asks again: a key may be revoked, a login ended, an agent removed. Never rejects. */
  holds(): Promise<boolean>;
}

/** One WebSocket as a core sees it. */
export interface SocketPeer {
  /** `full`: it took this one, but the peer is slow; send nothing until `drained`. `gone`: nothing will arrive any more. */
  send(text: string): "sent" | "full" | "gone";
  close(code: number, reason: string): void;
}

export interface SocketSession {
  message(text: string): void;
  drained(): void;
  closed(): void;
}

export interface Http {
  /** Answers any request but an upgrade. Never rejects. */
  handle(request: Request): Promise<Response>;
  /** For an upgrade of `/ws`: who is asking, or the refusal to send instead. Never rejects. */
  admit(request: Request): Promise<{ readonly caller: Caller } | { readonly refusal: Response }>;
  /** A session on an upgraded socket. */
  connect(caller: Caller, peer: SocketPeer): SocketSession;
  /** Ends whatever waits or streams (long polls, event streams, chats, sockets), and refuses what comes after. */
  close(): void;
}
