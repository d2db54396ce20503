/**
 * Browser logins exchange a one-time link or a password for a session cookie. Codes are kept in
 * memory and lost with the daemon. Sessions are stored by the SHA-256 of their cookie. People can
 * list and end their sessions.
 */
import type { Change, DurableStreams, NewEvent, Store, Row, Write } from "../../kernel/index.ts";
import {
  type AgentId,
  HearthError,
  isHearthError,
  type LoginMethod,
  type SessionId,
  type World,
} from "@hearth/protocol";
import type { Peer } from "./login-attempts.ts";
import { newSecret } from "./secret.ts";
import type { Principal } from "../permissions/principal.ts";

export interface SessionRecord {
  readonly id: SessionId;
  readonly agent: AgentId;
  /** The name that the person gave the browser. */
  readonly name?: string;
  /** The browser's description of itself, truncated. */
  readonly about: string;
  /** The address of the last use. */
  readonly address?: string;
  readonly method?: LoginMethod;
  readonly createdAt: number;
  /** The last use, to within `USED_MS`. */
  readonly usedAt: number;
  readonly expiresAt: number;
}

/** The browser that logs in. */
export interface Device {
  /** Its description of itself. */
  readonly about: string;
  readonly peer?: Peer;
}

export interface NewSession extends SessionRecord {
  /** The cookie. No other method returns it. */
  readonly cookie: string;
}

/** A session that is not stored yet. */
export interface PreparedSession {
  readonly session: NewSession;
  readonly write: Write;
}

/**
 * How a session by a link began.
 * - `link`: the login still needs the person's second factor.
 * - `link-code`: the person used the second factor for the link.
 * - `device`: a session of the person created the link.
 */
export type LinkMethod = Extract<LoginMethod, "link" | "link-code" | "device">;

export interface CodeOffer {
  /** Whether the code proves identity; see `offer`. */
  readonly proves?: boolean;
  readonly method?: LinkMethod;
  /** Default: 15 minutes. */
  readonly lifeMs?: number;
}

/** The person whom a code logs in; see `CodeOffer`. */
export interface Redeemed {
  readonly agent: AgentId;
  readonly proves: boolean;
  readonly method: LinkMethod;
}

/** Changes that belong to a commit of another part. */
export interface SameCommit extends Partial<Change> {
  readonly events?: readonly NewEvent[];
}

/** A session that begins. */
export interface Beginning {
  readonly method?: LoginMethod;
  /** Whether it proves identity; see `offer`. */
  readonly proves?: boolean;
  /** Committed together with the session. */
  readonly sameCommit?: SameCommit;
}

export interface Logins {
  /**
   * Creates a code that works once, for a few minutes, in memory only. `proves`: the code proves
   * identity, as the daemon's own terminal does, so its session can set a password without the old
   * one.
   */
  offer(agent: AgentId, options?: CodeOffer): { readonly code: string; readonly expiresAt: number };
  /** Uses up the code. Returns `undefined` if it is wrong, used or expired. */
  redeem(code: string): Redeemed | undefined;
  /**
   * Prepares a session that begins with the caller's commit. The returned function returns its
   * row for the person, who may be created in the same commit.
   */
  prepare(device: Device, method: LoginMethod): (agent: AgentId) => PreparedSession;
  /**
   * Creates a session for an authenticated person, with an event in the person's log. Returns
   * `undefined` if a guard fails or the agent was removed.
   */
  begin(agent: AgentId, device: Device, beginning?: Beginning): Promise<NewSession | undefined>;
  /**
   * Returns the session of a cookie, which is read from the store at each use. Records the use
   * and the caller's address, unless the call only checks whether an open connection may
   * continue.
   */
  authenticate(cookie: string, peer?: Peer, options?: { readonly isUse?: boolean }): Promise<Principal | undefined>;
  /**
   * Names a session of this agent. An empty name removes the name. Returns `undefined` if the
   * session does not exist.
   */
  rename(agent: AgentId, session: SessionId, name: string): Promise<SessionRecord | undefined>;
  /**
   * Makes a session of this agent prove identity from now on, as a login does. Returns until when,
   * or `undefined` if a guard fails or the session has ended.
   */
  confirm(
    agent: AgentId,
    session: SessionId,
    by: { readonly method: LoginMethod | undefined; readonly sameCommit: SameCommit },
  ): Promise<number | undefined>;
  /**
   * Whether the session's person proved their identity in the last 15 minutes. With
   * `withoutPassword`, a proof by the password does not count. Lost with the daemon.
   */
  isProof(session: SessionId, options?: { readonly withoutPassword?: true }): boolean;
  /** Whether the session began in the last 15 minutes, with the second factor of its person. */
  isConfirmed(agent: AgentId, session: SessionId): Promise<boolean>;
  /** Returns the valid sessions, newest first. */
  list(agent: AgentId): Promise<readonly SessionRecord[]>;
  /** Ends a session of this agent. Returns whether it existed. */
  end(agent: AgentId, session: SessionId): Promise<boolean>;
  /**
   * Ends all of this agent's sessions at once except `keep`, drops its codes, and returns the
   * number of ended sessions. `sameCommit` is in the same commit.
   */
  endAll(agent: AgentId, options?: { readonly keep?: SessionId; readonly sameCommit?: Change }): Promise<number>;
}

export interface LoginsOptions {
  readonly world: World;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "commit">;
  /**
   * Returns the limits of sessions. It is called at each use, so that a change applies to
   * existing sessions. Default: 30 days, and idle sessions do not end.
   */
  readonly life?: () => SessionLife;
}

export interface SessionLife {
  /** Maximum duration of a session. */
  readonly sessionMs: number;
  /**
   * Time without a request of its browser after which a session ends. Absent if idle sessions do
   * not end.
   */
  readonly idleMs?: number;
}

export const SESSION_MS = 30 * 24 * 60 * 60_000;
const DEFAULT_LIFE: SessionLife = { sessionMs: SESSION_MS };

export const CODE_MS = 15 * 60_000;
/** How long a session from a code counts as proof of identity, like a password. */
export const PROOF_MS = 15 * 60_000;
/** Maximum number of codes and of proving sessions. The oldest is dropped. */
export const MAX_CODES = 100;
/** Maximum number of sessions per agent. The oldest ends. */
export const MAX_SESSIONS = 100;
/** Minimum time between two records of use, so that few requests cause a write. */
export const USED_MS = 5 * 60_000;
/** Maximum length of `about`, in UTF-16 code units. */
const MAX_ABOUT_LENGTH = 200;
/** The methods that include a second factor. */
const CONFIRMED_METHODS: ReadonlySet<LoginMethod> = new Set(["password-code", "link-code", "passkey", "sso-code"]);

interface Code extends Redeemed {
  readonly until: number;
}

/** The methods that include the password. */
const PASSWORD_METHODS: ReadonlySet<LoginMethod> = new Set(["password", "password-code"]);

const isStillValid = (row: Row<"logins">, now: number, { sessionMs, idleMs }: SessionLife): boolean => {
  // A later use within `USED_MS` is not recorded.
  const isIdle = idleMs !== undefined && now - row.used_at >= idleMs + USED_MS;
  return row.expires_at > now && now - row.created_at < sessionMs && !isIdle;
};

export const createLogins = ({ world, store, streams, life = () => DEFAULT_LIFE }: LoginsOptions): Logins => {
  const { clock, hash } = world;
  /** The codes by hash, oldest first. A lookup compares hashes, so its timing reveals nothing. */
  const codes = new Map<string, Code>();
  const proofs = createProofs(clock);
  /** Sessions whose use is being recorded. */
  const recording = new Set<SessionId>();

  const sessionsOf = (agent: AgentId): Promise<readonly Row<"logins">[]> =>
    store.select({ table: "logins", where: { agent }, order: [{ column: "created_at" }, { column: "id" }] });

  /** Removes the agent's expired and surplus sessions. */
  const sweep = async (agent: AgentId): Promise<void> => {
    const expired = await store.select({
      table: "logins",
      and: [{ column: "expires_at", is: "<=", value: clock.now() }],
    });
    const surplus = (await sessionsOf(agent)).slice(0, -(MAX_SESSIONS - 1));
    const removedRows = [...expired, ...surplus];
    if (removedRows.length === 0) return;
    await store.commit({
      writes: removedRows.map((row) => ({ kind: "delete", table: "logins", where: { hash: row.hash } })),
    });
  };

  const prepareRow = ({ about, peer }: Device, method: LoginMethod | undefined) => {
    const cookie = newSecret(world);
    const id = world.ids.fresh("ses");
    const now = clock.now();
    return (agent: AgentId): PreparedSession => {
      const row: Row<"logins"> = {
        hash: hash(cookie),
        id,
        agent,
        about: about.slice(0, MAX_ABOUT_LENGTH).toWellFormed(),
        created_at: now,
        expires_at: now + life().sessionMs,
        name: null,
        used_at: now,
        address: peer ?? null,
        method: method ?? null,
      };
      return { session: { cookie, ...toSession(row) }, write: { kind: "insert", table: "logins", row } };
    };
  };

  const begin: Logins["begin"] = async (agent, device, { method, proves = false, sameCommit = {} } = {}) => {
    await sweep(agent);
    const { session, write } = prepareRow(device, method)(agent);
    const result = await streams.commit({
      guards: [{ kind: "exists", table: "records", where: { id: agent, type: "agent" } }, ...(sameCommit.guards ?? [])],
      writes: [write, ...(sameCommit.writes ?? [])],
      events: [{ id: world.ids.fresh("evt"), ...toEvent(session) }, ...(sameCommit.events ?? [])],
    });
    if (result.kind !== "committed") return undefined;
    if (proves) proofs.add(session.id, method);
    return session;
  };

  /** Records the last use. It only informs the person, so a full disk does not log anyone out. */
  const recordUse = async (row: Row<"logins">, peer: Peer): Promise<void> => {
    if (clock.now() - row.used_at < USED_MS || recording.has(row.id)) return;
    recording.add(row.id);
    try {
      await store.commit({
        writes: [
          {
            kind: "update",
            table: "logins",
            where: { hash: row.hash },
            set: { used_at: clock.now(), address: peer ?? row.address },
          },
        ],
      });
    } catch (error) {
      if (!isHearthError(error, "store.unavailable")) throw error;
    } finally {
      recording.delete(row.id);
    }
  };

  const isCurrent = (row: Row<"logins">): boolean => isStillValid(row, clock.now(), life());

  return {
    offer(agent, { proves = false, method = "link", lifeMs = CODE_MS } = {}) {
      const code = newSecret(world);
      codes.set(hash(code), { agent, proves, method, until: clock.monotonic() + lifeMs });
      forgetOldest(codes);
      return { code, expiresAt: clock.now() + lifeMs };
    },

    redeem(code) {
      const codeHash = hash(code);
      const storedCode = codes.get(codeHash);
      codes.delete(codeHash);
      return storedCode === undefined || clock.monotonic() >= storedCode.until ? undefined : storedCode;
    },

    prepare: prepareRow,
    begin,

    async authenticate(cookie, peer, { isUse = true } = {}) {
      const [row] = await store.select({ table: "logins", where: { hash: hash(cookie) } });
      if (row === undefined || !isCurrent(row)) return undefined;
      const [agent] = await store.select({ table: "records", where: { id: row.agent, type: "agent" } });
      if (agent === undefined) return undefined;
      if (isUse) await recordUse(row, peer);
      return { agent: row.agent, via: "login", session: row.id };
    },

    async rename(agent, session, name) {
      const where = { agent, id: session };
      const set = { name: name.trim() === "" ? null : name.trim() };
      await store.commit({ by: agent, writes: [{ kind: "update", table: "logins", where, set }] });
      const [row] = await store.select({ table: "logins", where });
      return row === undefined || !isCurrent(row) ? undefined : toSession(row);
    },

    async confirm(agent, session, { method, sameCommit: { guards = [], writes = [], events = [] } }) {
      const result = await streams.commit({
        guards: [{ kind: "exists", table: "logins", where: { agent, id: session } }, ...guards],
        writes,
        events,
      });
      if (result.kind !== "committed") return undefined;
      proofs.add(session, method);
      return clock.now() + PROOF_MS;
    },

    async isConfirmed(agent, id) {
      const [row] = await store.select({ table: "logins", where: { agent, id } });
      const method = row?.method ?? undefined;
      if (row === undefined || method === undefined || !CONFIRMED_METHODS.has(method)) return false;
      const ageMs = clock.now() - row.created_at;
      return ageMs >= 0 && ageMs < PROOF_MS;
    },

    isProof: proofs.has,

    list: async (agent) => (await sessionsOf(agent)).filter(isCurrent).map(toSession).toReversed(),

    async end(agent, session) {
      const where = { agent, id: session };
      const result = await store.commit({
        guards: [{ kind: "exists", table: "logins", where }],
        writes: [{ kind: "delete", table: "logins", where }],
      });
      return result.kind === "committed";
    },

    async endAll(agent, { keep, sameCommit } = {}) {
      for (const [codeHash, code] of codes) if (code.agent === agent) codes.delete(codeHash);
      const rows = await sessionsOf(agent);
      const keptRow = rows.find((row) => row.id === keep);
      const endAllChange: Change = {
        // All sessions are deleted instead of those that were read, so that a session that begins
        // meanwhile ends too.
        writes: [{ kind: "delete", table: "logins", where: { agent } }, ...(sameCommit?.writes ?? [])],
        guards: sameCommit?.guards ?? [],
      };
      const keepResult =
        keptRow === undefined ? "refused" : (await store.commit(withRestoredSession(endAllChange, keptRow))).kind;
      // The session to keep has ended meanwhile, or does not exist.
      if (keepResult !== "committed" && (await store.commit(endAllChange)).kind !== "committed")
        throw new HearthError("record.not-found", `There is no agent ${agent}.`, {
          hint: "List the agents: hearth agent list",
        });
      return rows.filter((row) => isCurrent(row) && (keepResult !== "committed" || row !== keptRow)).length;
    },
  };
};

/** Keeps the sessions that prove identity, in memory. */
const createProofs = (clock: World["clock"]) => {
  const proofs = new Map<SessionId, { readonly endsAt: number; readonly isPassword: boolean }>();
  return {
    /** Makes the session prove identity for `PROOF_MS`. */
    add(session: SessionId, method: LoginMethod | undefined): void {
      const isPassword = method !== undefined && PASSWORD_METHODS.has(method);
      proofs.set(session, { endsAt: clock.monotonic() + PROOF_MS, isPassword });
      forgetOldest(proofs);
    },
    has(session: SessionId, { withoutPassword }: { readonly withoutPassword?: true } = {}): boolean {
      const proof = proofs.get(session);
      if (proof === undefined || clock.monotonic() >= proof.endsAt) return false;
      return withoutPassword === undefined || !proof.isPassword;
    },
  };
};

const forgetOldest = (entries: Map<string, unknown>): void => {
  const [oldest] = entries.keys();
  if (entries.size > MAX_CODES && oldest !== undefined) entries.delete(oldest);
};

/** Returns the same change with one session restored. */
const withRestoredSession = ({ guards = [], writes }: Change, row: Row<"logins">): Change => ({
  guards: [...guards, { kind: "exists", table: "logins", where: { hash: row.hash } }],
  writes: [...writes, { kind: "insert", table: "logins", row }],
});

const toEvent = ({ id, agent, about, address, method, createdAt: at }: SessionRecord): Omit<NewEvent, "id"> => ({
  stream: `agent:${agent}`,
  event: {
    type: "session-began",
    at,
    by: agent,
    session: id,
    about,
    ...(address === undefined ? {} : { address }),
    ...(method === undefined ? {} : { method }),
  },
});

const toSession = (row: Row<"logins">): SessionRecord => ({
  id: row.id,
  agent: row.agent,
  ...(row.name === null ? {} : { name: row.name }),
  about: row.about,
  ...(row.address === null ? {} : { address: row.address }),
  ...(row.method === null ? {} : { method: row.method }),
  createdAt: row.created_at,
  usedAt: row.used_at,
  expiresAt: row.expires_at,
});
