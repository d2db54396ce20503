/**
 * Logins in the store: codes are kept in memory and lost with the daemon, sessions are stored by
 * the SHA-256 of their cookie.
 */
import type { Change, Store, Row } from "../../kernel/index.ts";
import { type AgentId, HearthError, type SessionId, type World } from "@hearth/protocol";
import type { Logins, SessionRecord } from "./logins.ts";
import { newSecret } from "./secret.ts";

export interface LoginsOptions {
  readonly world: World;
  readonly store: Store;
}

export const CODE_MS = 15 * 60_000;
/** How long a session from a code counts as proof of identity, like a password. */
export const PROOF_MS = 15 * 60_000;
export const SESSION_MS = 30 * 24 * 60 * 60_000;
/** Maximum of codes and of proving sessions; the oldest is dropped. */
export const MAX_CODES = 100;
/** Maximum of sessions per agent; the oldest ends. */
export const MAX_SESSIONS = 100;
/** In UTF-16 code units. */
const MAX_ABOUT = 200;

interface Code {
  readonly agent: AgentId;
  readonly proves: boolean;
  readonly until: number;
}

export const createLogins = ({ world, store }: LoginsOptions): Logins => {
  const { clock, hash } = world;
  /** By hash, oldest first: a lookup compares hashes, so its timing reveals nothing. */
  const codes = new Map<string, Code>();
  /** Proving sessions with their end. */
  const proofs = new Map<SessionId, number>();

  const sessionsOf = (agent: AgentId): Promise<readonly Row<"logins">[]> =>
    store.select({ table: "logins", where: { agent }, order: [{ column: "created_at" }, { column: "id" }] });

  /** Removes the agent's expired and surplus sessions. */
  const sweep = async (agent: AgentId): Promise<void> => {
    const expired = await store.select({
      table: "logins",
      and: [{ column: "expires_at", is: "<=", value: clock.now() }],
    });
    const surplus = (await sessionsOf(agent)).slice(0, -(MAX_SESSIONS - 1));
    const gone = [...expired, ...surplus];
    if (gone.length === 0) return;
    await store.commit({
      writes: gone.map((row) => ({ kind: "delete", table: "logins", where: { hash: row.hash } })),
    });
  };

  const begin: Logins["begin"] = async (agent, about, guards = []) => {
    await sweep(agent);
    const cookie = newSecret(world);
    const now = clock.now();
    const row: Row<"logins"> = {
      ...{ hash: hash(cookie), id: world.ids.fresh("ses"), agent },
      ...{ about: about.slice(0, MAX_ABOUT).toWellFormed(), created_at: now, expires_at: now + SESSION_MS },
    };
    const result = await store.commit({
      guards: [{ kind: "exists", table: "records", where: { id: agent, type: "agent" } }, ...guards],
      writes: [{ kind: "insert", table: "logins", row }],
    });
    return result.kind === "committed" ? { cookie, ...toSession(row) } : undefined;
  };

  const remember = (session: SessionId): void => {
    proofs.set(session, clock.monotonic() + PROOF_MS);
    forgetOldest(proofs);
  };

  const holds = (row: Row<"logins">): boolean => row.expires_at > clock.now();

  return {
    offer(agent, { proves = false } = {}) {
      const code = newSecret(world);
      codes.set(hash(code), { agent, proves, until: clock.monotonic() + CODE_MS });
      forgetOldest(codes);
      return { code, expiresAt: clock.now() + CODE_MS };
    },

    async redeem(code, about = "") {
      const hashed = hash(code);
      const offered = codes.get(hashed);
      codes.delete(hashed);
      if (offered === undefined || clock.monotonic() >= offered.until) return undefined;
      const session = await begin(offered.agent, about);
      if (session !== undefined && offered.proves) remember(session.id);
      return session;
    },

    begin,

    async authenticate(cookie) {
      const [row] = await store.select({ table: "logins", where: { hash: hash(cookie) } });
      if (row === undefined || !holds(row)) return undefined;
      const [agent] = await store.select({ table: "records", where: { id: row.agent, type: "agent" } });
      if (agent === undefined) return undefined;
      return { agent: row.agent as AgentId, via: "login", session: row.id as SessionId };
    },

    isProof: (session) => clock.monotonic() < (proofs.get(session) ?? 0),

    list: async (agent) => (await sessionsOf(agent)).filter(holds).map(toSession).toReversed(),

    async end(agent, session) {
      const where = { agent, id: session };
      const result = await store.commit({
        guards: [{ kind: "exists", table: "logins", where }],
        writes: [{ kind: "delete", table: "logins", where }],
      });
      return result.kind === "committed";
    },

    async endAll(agent, { keep, along } = {}) {
      for (const [hashed, code] of codes) if (code.agent === agent) codes.delete(hashed);
      const rows = await sessionsOf(agent);
      const kept = rows.find((row) => row.id === keep);
      const ending: Change = {
        // Deletes all sessions instead of the ones read, so that one that begins meanwhile ends
        // too.
        writes: [{ kind: "delete", table: "logins", where: { agent } }, ...(along?.writes ?? [])],
        guards: along?.guards ?? [],
      };
      const stays = kept === undefined ? "refused" : (await store.commit(keeping(ending, kept))).kind;
      // The session to keep has ended meanwhile, or does not exist.
      if (stays !== "committed" && (await store.commit(ending)).kind !== "committed")
        throw new HearthError("record.not-found", `There is no agent ${agent}.`);
      return rows.filter((row) => holds(row) && (stays !== "committed" || row !== kept)).length;
    },
  };
};

const forgetOldest = (kept: Map<string, unknown>): void => {
  const [oldest] = kept.keys();
  if (kept.size > MAX_CODES && oldest !== undefined) kept.delete(oldest);
};

/** The same change, with one session restored. */
const keeping = ({ guards = [], writes }: Change, row: Row<"logins">): Change => ({
  guards: [...guards, { kind: "exists", table: "logins", where: { hash: row.hash } }],
  writes: [...writes, { kind: "insert", table: "logins", row }],
});

const toSession = (row: Row<"logins">): SessionRecord => ({
  id: row.id as SessionId,
  agent: row.agent as AgentId,
  about: row.about,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});
