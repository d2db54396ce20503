/**
 * Checks codes of second factors: of an authenticator app, and recovery codes. Each attempt is
 * counted. The result is the writes that use up the code.
 */
import type { NewEvent, Row, Store } from "../../kernel/index.ts";
import {
  type AgentId,
  type AgentRecord,
  HearthError,
  type HouseId,
  type SecondFactorChanged,
  type World,
} from "@hearth/protocol";
import type { SameCommit } from "./house-logins.ts";
import type { LoginAttempts, Peer } from "./login-attempts.ts";
import { hashRecoveryCode } from "./recovery-codes.ts";
import { CODE_PATTERN, stepOf } from "./totp.ts";

/** Keeps the seeds sealed. */
export interface Seeds {
  names(house: HouseId): Promise<readonly string[]>;
  /** Returns the seed. Throws `secret.locked`. */
  read(house: HouseId, name: string): Promise<string | undefined>;
  set(house: HouseId, name: string, value: string): Promise<void>;
  remove(house: HouseId, name: string): Promise<void>;
}

export type FactorRow = Row<"second_factors">;

export interface SecondCodes {
  factorOf(agent: AgentId): Promise<FactorRow | undefined>;
  /** Returns an event for the log of the person. */
  factorEvent(agent: AgentId, change: SecondFactorChanged["change"], by?: AgentId): NewEvent;
  /**
   * Checks a code. Returns the writes that use it up, for the commit that it allows. Throws
   * `auth.code`, `auth.limited`, and `secret.locked` for a code of the app.
   */
  check(person: AgentRecord, code: string, peer: Peer): Promise<SameCommit>;
}

export interface SecondCodesOptions {
  readonly world: World;
  readonly store: Pick<Store, "select">;
  readonly seeds: Pick<Seeds, "read">;
  readonly attempts: Pick<LoginAttempts, "guessCode">;
}

export const createSecondCodes = ({ world, store, seeds, attempts }: SecondCodesOptions): SecondCodes => {
  const { clock, hash, ids } = world;

  const factorOf = async (agent: AgentId): Promise<FactorRow | undefined> =>
    (await store.select({ table: "second_factors", where: { agent } }))[0];

  const toFactorEvent = (agent: AgentId, change: SecondFactorChanged["change"], by: AgentId = agent) => ({
    stream: `agent:${agent}` as const,
    id: ids.fresh("evt"),
    event: { type: "second-factor-changed" as const, at: clock.now(), by, change },
  });

  /** Returns the writes that use up the code, for the commit that it allows, or undefined for an invalid code. */
  const findCodeUse = async (person: AgentRecord, code: string): Promise<SameCommit | undefined> => {
    const { id: agent, house } = person;
    const factor = await factorOf(agent);
    if (factor === undefined) return undefined;
    const normalizedCode = code.replace(/[\s-]/g, "");
    if (CODE_PATTERN.test(normalizedCode)) {
      const seed = await seeds.read(house, seedName(factor));
      if (seed === undefined) throw damagedSeedError();
      const step = stepOf(seed, normalizedCode, clock.now());
      if (step === undefined || step <= factor.last_step) return undefined;
      return {
        guards: [{ kind: "exists", table: "second_factors", where: { ...keyOf(factor), last_step: factor.last_step } }],
        writes: [{ kind: "update", table: "second_factors", where: { agent }, set: { last_step: step } }],
      };
    }
    const where = { agent, hash: hashRecoveryCode(hash, normalizedCode) };
    const [unusedRow] = await store.select({ table: "recovery_codes", where: { ...where, used_at: null } });
    if (unusedRow === undefined) return undefined;
    return {
      guards: [
        { kind: "exists", table: "second_factors", where: keyOf(factor) },
        { kind: "exists", table: "recovery_codes", where: { ...where, used_at: null } },
      ],
      writes: [{ kind: "update", table: "recovery_codes", where, set: { used_at: clock.now() } }],
      events: [toFactorEvent(agent, "recovery-code-used")],
    };
  };

  /** Counts the attempt, and returns the writes that use up the code. */
  const check: SecondCodes["check"] = async (person, code, peer) => {
    const guess = attempts.guessCode(peer, person.id);
    let codeUse: SameCommit | undefined;
    try {
      codeUse = await findCodeUse(person, code);
    } catch (error) {
      // The code was not checked, so no attempt counts.
      guess.confirm();
      throw error;
    }
    if (codeUse === undefined) throw wrongCodeError();
    guess.confirm();
    return codeUse;
  };

  return { factorOf, factorEvent: toFactorEvent, check };
};

const SEED_PREFIX = "totp-";
/** Returns the name under which the seed is sealed. */
export const seedName = ({ id }: Pick<FactorRow, "id">): string => `${SEED_PREFIX}${id}`;
export const isSeed = (name: string): boolean => name.startsWith(SEED_PREFIX);
const keyOf = ({ agent, id }: FactorRow) => ({ agent, id });

export const wrongCodeError = (): HearthError =>
  new HearthError("auth.code", "The code is wrong, has expired, or was already used.", {
    hint: "Wait for the next code of your authenticator app, or enter a recovery code.",
  });

const damagedSeedError = (): HearthError =>
  new HearthError("secret.damaged", "The secret of the second factor is missing.", {
    hint: "Use a recovery code, or ask an administrator to turn the second factor off.",
  });
