/**
 * Passwords of people. Bots have keys instead. Few hashes run at once, because each uses much
 * memory. Each check does the same work, whether the person exists or not.
 */
import type { Store, Row, Guard, Write } from "../../kernel/index.ts";
import { type AgentId, HearthError, type World, type SessionId, type AgentRecord } from "@hearth/protocol";
import type { LoginAttempts, Peer } from "./login-attempts.ts";
import { toRecord } from "../records/record-rows.ts";
import { createSemaphore } from "./semaphore.ts";
import type { Logins } from "./house-logins.ts";
import type { PasswordHash } from "./password-hash.ts";

export interface PasswordAttempt {
  /** A handle or an id. */
  readonly person: string;
  readonly password: string;
  readonly peer: Peer;
}

/** A person who has proved their identity. */
export interface ProvedPerson {
  readonly agent: AgentId;
  /** Guards that the password has not changed, for commits that depend on it. */
  readonly guards: readonly Guard[];
}

export interface Passwords {
  /**
   * Returns the person with this password, or undefined, with the same work for an unknown name, a
   * bot, a missing password and a wrong one. Throws `auth.limited`.
   */
  check(attempt: PasswordAttempt): Promise<ProvedPerson | undefined>;
  has(agent: AgentId): Promise<boolean>;
  /**
   * Hashes a password for a commit of the caller. The returned function returns its row for the
   * person, who may be created in the same commit.
   */
  prepare(password: string): Promise<(agent: AgentId) => Write>;
  /**
   * Sets a password and ends all sessions of the person except `keep`, in one commit. Returns the
   * number of ended sessions. Throws `auth.password` for a bot, `record.not-found` for an unknown
   * agent.
   */
  set(agent: AgentId, password: string, keep?: SessionId): Promise<number>;
}

export interface PasswordsOptions {
  readonly world: World;
  readonly store: Store;
  readonly attempts: LoginAttempts;
  readonly logins: Pick<Logins, "endAll">;
  readonly hash: PasswordHash;
}

/**
 * Maximum number of concurrent hashes. A flood of logins then uses the memory of two hashes and
 * leaves a processor free.
 */
export const MAX_CONCURRENT = 2;
export const MAX_QUEUED = 32;

export const createPasswords = ({ world, store, attempts, logins, hash }: PasswordsOptions): Passwords => {
  const semaphore = createSemaphore({ maxConcurrent: MAX_CONCURRENT, maxQueued: MAX_QUEUED });

  const findAgent = async (name: string): Promise<AgentRecord | undefined> => {
    const handle = name.replace(/^@/, "").toLowerCase();
    const [row] = await store.select({
      table: "records",
      where: { type: "agent", ...(name.startsWith("agent_") ? { id: name } : { handle }) },
      order: [{ column: "created_at" }],
      limit: 1,
    });
    const record = row === undefined ? undefined : toRecord(row);
    return record?.type === "agent" ? record : undefined;
  };

  const rowOf = async (agent: string): Promise<Row<"passwords"> | undefined> =>
    (await store.select({ table: "passwords", where: { agent } }))[0];

  const prepare: Passwords["prepare"] = async (password) => {
    const passwordHash = await semaphore.pass(() => hash.hash(normalizePassword(password)));
    const at = world.clock.now();
    return (agent) => ({ kind: "put", table: "passwords", row: { agent, hash: passwordHash, at } });
  };

  return {
    async check({ person, password, peer }) {
      // All steps run for every request in the same order, so that the timing does not reveal who
      // exists.
      const agent = (await findAgent(person))?.id ?? person;
      const guess = attempts.guess(peer, agent);
      const storedRow = await rowOf(agent);
      let isRight: boolean;
      try {
        isRight = await semaphore.pass(() => hash.verify(normalizePassword(password), storedRow?.hash ?? hash.decoy));
      } catch (error) {
        // The password was not checked, so no attempt counts.
        guess.confirm();
        throw error;
      }
      if (!isRight || storedRow === undefined) return undefined;
      guess.confirm();
      return {
        agent: storedRow.agent,
        guards: [{ kind: "exists", table: "passwords", where: { agent, hash: storedRow.hash } }],
      };
    },

    prepare,

    has: async (agent) => (await rowOf(agent)) !== undefined,

    async set(agent, password, keep) {
      const record = await findAgent(agent);
      if (record === undefined)
        throw new HearthError("record.not-found", `There is no agent ${agent}.`, {
          hint: "List the agents: hearth agent list",
        });
      if (record.content.kind !== "human") {
        throw new HearthError("auth.password", "Only people can have passwords.", {
          hint: `A bot authenticates with a key: hearth key create --agent ${record.handle}`,
        });
      }
      const toWrite = await prepare(password);
      return logins.endAll(agent, {
        ...(keep === undefined ? {} : { keep }),
        sameCommit: {
          guards: [{ kind: "exists", table: "records", where: { id: agent, type: "agent" } }],
          writes: [toWrite(agent)],
        },
      });
    },
  };
};

/** Normalises a password, so that different keyboards give the same text. */
const normalizePassword = (password: string): string => password.normalize("NFKC");
