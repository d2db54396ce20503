/**
 * Second factors of people: codes of an authenticator app, and recovery codes. The commit that a
 * code allows also uses up the code, so it works once, even at the same instant.
 */
import type { DurableStreams, Guard, Store, Write } from "../../kernel/index.ts";
import {
  type AgentId,
  type AgentRecord,
  HearthError,
  type HouseId,
  type SecondStep,
  type World,
} from "@hearth/protocol";
import { createSerialQueue } from "@hearth/protocol/serial-queue";
import type { SameCommit, Beginning } from "./house-logins.ts";
import type { LoginAttempts, Peer } from "./login-attempts.ts";
import { newRecoveryCodes, hashRecoveryCode } from "./recovery-codes.ts";
import { createSecondCodes, type FactorRow, isSeed, type Seeds, seedName, wrongCodeError } from "./second-codes.ts";
import { createSecondSteps } from "./second-steps.ts";
import { SEED_SIZE_BYTES, stepOf, toSeed, toUri } from "./totp.ts";

/** A login whose first step succeeded. */
export interface FirstStep {
  readonly agent: AgentId;
  readonly by: "password" | "link" | "sso";
  readonly proves: boolean;
  /** Guards that the first step still holds. */
  readonly sameCommit: SameCommit;
}

export interface SecondFactors {
  /** Whether logins of the person need a code. */
  isOn(agent: AgentId): Promise<boolean>;
  show(
    agent: AgentId,
  ): Promise<{ readonly isOn: boolean; readonly since?: number; readonly recoveryCodesLeft: number }>;
  /** Creates a seed that `confirm` stores. Throws `auth.code` if a second factor is on. */
  begin(person: AgentRecord): Promise<Setup>;
  /**
   * Turns on the second factor by the first code. Returns the recovery codes. Throws `auth.code`,
   * `auth.limited`.
   */
  confirm(
    person: AgentRecord,
    answer: { readonly setup: string; readonly code: string },
    peer: Peer,
  ): Promise<string[]>;
  /** Replaces the recovery codes. Throws `auth.code`, `auth.limited`. */
  renew(person: AgentRecord, code: string, peer: Peer): Promise<string[]>;
  /** Turns off the second factor. Returns whether it was on. */
  remove(person: AgentRecord, by: AgentId): Promise<boolean>;
  /** Uses up a code. Throws `auth.code`, `auth.limited`. */
  use(person: AgentRecord, code: string, peer: Peer): Promise<void>;
  /**
   * Continues after the first step of a login. Returns the session for `logins.begin`, or the
   * step that needs a code.
   */
  next(step: FirstStep): Promise<PermittedSession | SecondStep>;
  /**
   * Returns the session that the ticket and the code allow. Throws `auth.code` for a wrong code,
   * `auth.invalid` for a wrong ticket, `auth.limited`.
   */
  answer(answer: { readonly ticket: string; readonly code: string }, peer: Peer): Promise<PermittedSession>;
}

export interface Setup {
  readonly setup: string;
  readonly secret: string;
  readonly uri: string;
  readonly expiresAt: number;
}

/** A session that may begin. */
export interface PermittedSession extends Required<Beginning> {
  readonly agent: AgentId;
}

export interface SecondFactorsOptions {
  readonly world: World;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "commit">;
  readonly seeds: Seeds;
  readonly attempts: Pick<LoginAttempts, "guessCode" | "recordInvalidCredential">;
  readonly find: (agent: AgentId) => Promise<AgentRecord | undefined>;
}

/** How long a login waits for its code. */
export const STEP_MS = 5 * 60_000;
/** How long a new seed waits for its first code. */
export const SETUP_MS = 15 * 60_000;
const ISSUER = "Hearth";
const ID_SIZE_BYTES = 8;

export const createSecondFactors = (options: SecondFactorsOptions): SecondFactors => {
  const { world, store, streams, seeds, attempts, find } = options;
  const { clock, hash } = world;
  const { factorOf, factorEvent, check } = createSecondCodes(options);
  const logins = createSecondSteps<FirstStep>(world, STEP_MS);
  const setups = createSecondSteps<{ readonly agent: AgentId; readonly seed: string }>(world, SETUP_MS);

  const commit = async (person: AgentRecord, ...changes: readonly SameCommit[]): Promise<void> => {
    const result = await streams.commit({
      guards: [
        { kind: "exists", table: "records", where: { id: person.id, type: "agent" } },
        ...changes.flatMap(({ guards = [] }) => guards),
      ],
      writes: changes.flatMap(({ writes = [] }) => writes),
      events: changes.flatMap(({ events = [] }) => events),
    });
    if (result.kind !== "committed") throw wrongCodeError();
  };

  /** Creates new codes, and the writes that replace the old ones by them. */
  const renewCodes = (agent: AgentId) => {
    const codes = newRecoveryCodes(world);
    const writes: readonly Write[] = [
      { kind: "delete", table: "recovery_codes", where: { agent } },
      ...codes.map((code): Write => ({
        kind: "insert",
        table: "recovery_codes",
        row: { agent, hash: hashRecoveryCode(hash, code), used_at: null },
      })),
    ];
    return { codes, writes };
  };

  /** Removes seeds of the house that no second factor uses, which a crash can leave. */
  const removeUnusedSeeds = async (house: HouseId): Promise<void> => {
    const usedNames = new Set((await store.select({ table: "second_factors" })).map(seedName));
    for (const name of await seeds.names(house))
      if (isSeed(name) && !usedNames.has(name)) await seeds.remove(house, name);
  };

  /** Runs one change of seeds at a time, so that `removeUnusedSeeds` removes no seed that is about to be used. */
  const enqueue = createSerialQueue();

  const turnOn = (person: AgentRecord, seed: string, step: number): Promise<string[]> =>
    enqueue(async () => {
      const { id: agent, house } = person;
      if ((await factorOf(agent)) !== undefined) throw alreadyOnError();
      await removeUnusedSeeds(house);
      const id = world.random(ID_SIZE_BYTES).toHex();
      const factor: FactorRow = { agent, id, last_step: step, created_at: clock.now() };
      await seeds.set(house, seedName(factor), seed);
      const { codes, writes } = renewCodes(agent);
      await commit(person, {
        guards: [{ kind: "absent", table: "second_factors", where: { agent } }],
        writes: [{ kind: "insert", table: "second_factors", row: factor }, ...writes],
        events: [factorEvent(agent, "on")],
      });
      return codes;
    });

  return {
    isOn: async (agent) => (await factorOf(agent)) !== undefined,

    async show(agent) {
      const factor = await factorOf(agent);
      if (factor === undefined) return { isOn: false, recoveryCodesLeft: 0 };
      const codes = await store.select({ table: "recovery_codes", where: { agent, used_at: null } });
      return { isOn: true, since: factor.created_at, recoveryCodesLeft: codes.length };
    },

    async begin({ id: agent, handle }) {
      if ((await factorOf(agent)) !== undefined) throw alreadyOnError();
      const seed = toSeed(world.random(SEED_SIZE_BYTES));
      const { ticket, expiresAt } = setups.begin({ agent, seed });
      return { setup: ticket, secret: seed, uri: toUri(seed, ISSUER, handle), expiresAt };
    },

    async confirm(person, { setup, code }, peer) {
      const { id: agent } = person;
      const guess = attempts.guessCode(peer, agent);
      const pendingSetup = setups.try(setup);
      if (pendingSetup?.agent !== agent) throw setupExpiredError();
      const step = stepOf(pendingSetup.seed, code.replace(/\s/g, ""), clock.now());
      if (step === undefined) throw wrongCodeError();
      guess.confirm();
      const codes = await turnOn(person, pendingSetup.seed, step);
      setups.end(setup);
      return codes;
    },

    async renew(person, code, peer) {
      const usedCode = await check(person, code, peer);
      const { codes, writes } = renewCodes(person.id);
      await commit(person, usedCode, { writes, events: [factorEvent(person.id, "recovery-codes-renewed")] });
      return codes;
    },

    remove: (person, by) =>
      enqueue(async () => {
        const { id: agent, house } = person;
        if ((await factorOf(agent)) === undefined) return false;
        await commit(person, {
          writes: [
            { kind: "delete", table: "second_factors", where: { agent } },
            { kind: "delete", table: "recovery_codes", where: { agent } },
          ],
          events: [factorEvent(agent, "off", by)],
        });
        await removeUnusedSeeds(house);
        return true;
      }),

    use: async (person, code, peer) => commit(person, await check(person, code, peer)),

    async next(step) {
      const { agent, by, proves, sameCommit } = step;
      if ((await factorOf(agent)) !== undefined) return logins.begin(step);
      // If a second factor is turned on at this instant, no session begins.
      const isOff: Guard = { kind: "absent", table: "second_factors", where: { agent } };
      return {
        agent,
        method: by,
        proves,
        sameCommit: { ...sameCommit, guards: [...(sameCommit.guards ?? []), isOff] },
      };
    },

    async answer({ ticket, code }, peer) {
      const step = logins.try(ticket);
      const person = step === undefined ? undefined : await find(step.agent);
      if (step === undefined || person === undefined) {
        attempts.recordInvalidCredential(peer);
        throw loginExpiredError();
      }
      const usedCode = await check(person, code, peer);
      logins.end(ticket);
      return {
        agent: step.agent,
        method: `${step.by}-code`,
        proves: step.proves,
        sameCommit: {
          guards: [...(step.sameCommit.guards ?? []), ...(usedCode.guards ?? [])],
          writes: [...(step.sameCommit.writes ?? []), ...(usedCode.writes ?? [])],
          events: [...(step.sameCommit.events ?? []), ...(usedCode.events ?? [])],
        },
      };
    },
  };
};

const loginExpiredError = (): HearthError =>
  new HearthError("auth.invalid", "This login has expired.", { hint: "Log in again." });

const setupExpiredError = (): HearthError =>
  new HearthError("auth.code", "This setup has expired.", { hint: "Start it again." });

const alreadyOnError = (): HearthError =>
  new HearthError("auth.code", "You already have a second factor.", {
    hint: "To use another app, turn it off first.",
  });
