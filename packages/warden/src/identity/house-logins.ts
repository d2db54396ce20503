/** Logins over the store: codes live in memory and die with the daemon, sessions are kept by the SHA-256 of their cookie. */
import type { AgentId, World } from "@hearth/protocol";
import type { Store } from "../store/store.ts";
import type { Logins } from "./logins.ts";
import { newSecret } from "./secret.ts";

export interface LoginsOptions {
  readonly world: World;
  readonly store: Store;
}

export const CODE_MS = 15 * 60_000;
export const SESSION_MS = 30 * 24 * 60 * 60_000;
/** Codes that may be out at once; the oldest goes. */
export const MAX_CODES = 100;

export const createLogins = ({ world, store }: LoginsOptions): Logins => {
  const { clock, hash } = world;
  /** By their hash, oldest first: a lookup compares hashes, so its time tells nothing about the codes. */
  const codes = new Map<string, { readonly agent: AgentId; readonly until: number }>();

  const forgetExpired = async (): Promise<void> => {
    const expired = await store.select({
      table: "logins",
      and: [{ column: "expires_at", is: "<=", value: clock.now() }],
    });
    if (expired.length === 0) return;
    await store.commit({
      writes: expired.map((row) => ({ kind: "delete", table: "logins", where: { hash: row.hash } })),
    });
  };

  return {
    offer(agent) {
      const code = newSecret(world);
      codes.set(hash(code), { agent, until: clock.monotonic() + CODE_MS });
      const [oldest] = codes.keys();
      if (codes.size > MAX_CODES && oldest !== undefined) codes.delete(oldest);
      return { code, expiresAt: clock.now() + CODE_MS };
    },

    async redeem(code) {
      const hashed = hash(code);
      const offered = codes.get(hashed);
      codes.delete(hashed);
      if (offered === undefined || clock.monotonic() >= offered.until) return undefined;
      await forgetExpired();
      const cookie = newSecret(world);
      const now = clock.now();
      const expiresAt = now + SESSION_MS;
      const row = { hash: hash(cookie), agent: offered.agent, created_at: now, expires_at: expiresAt };
      const result = await store.commit({
        guards: [{ kind: "exists", table: "records", where: { id: offered.agent, type: "agent" } }],
        writes: [{ kind: "insert", table: "logins", row }],
      });
      return result.kind === "committed" ? { cookie, expiresAt } : undefined;
    },

    async authenticate(cookie) {
      const [row] = await store.select({ table: "logins", where: { hash: hash(cookie) } });
      if (row === undefined || row.expires_at <= clock.now()) return undefined;
      const [agent] = await store.select({ table: "records", where: { id: row.agent, type: "agent" } });
      return agent === undefined ? undefined : { agent: row.agent as AgentId, via: "login" };
    },

    async end(cookie) {
      await store.commit({ writes: [{ kind: "delete", table: "logins", where: { hash: hash(cookie) } }] });
    },
  };
};
