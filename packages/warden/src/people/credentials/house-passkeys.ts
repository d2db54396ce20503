/**
 * Passkeys of people: public keys with which they log in, after the authenticator has verified them.
 * A challenge works once, for some minutes, for the address that asked for it.
 */
import type { DurableStreams, Row, Store } from "../../kernel/index.ts";
import {
  type AgentId,
  type AgentRecord,
  HearthError,
  type PasskeyAssertion,
  type PasskeyAttestation,
  type PasskeyChallenge,
  type PasskeyChanged,
  type PasskeyInfo,
  type World,
} from "@hearth/protocol";
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { isoBase64URL } from "@simplewebauthn/server/helpers";
import type { PermittedSession } from "./house-second-factors.ts";
import type { LoginAttempts, Peer } from "./login-attempts.ts";
import { createSecondSteps, type SecondSteps } from "./second-steps.ts";

export interface Passkeys {
  /** Returns the passkeys, newest first. */
  list(agent: AgentId): Promise<readonly PasskeyInfo[]>;
  /**
   * Creates the challenge for a new passkey. `origin` is the address of the house that the
   * browser uses.
   */
  begin(person: AgentRecord, origin: string): Promise<PasskeyChallenge>;
  /** Adds a passkey. Throws `auth.passkey`. */
  add(
    person: AgentRecord,
    answer: { readonly ticket: string; readonly name: string; readonly passkey: PasskeyAttestation },
    origin: string,
  ): Promise<PasskeyInfo>;
  /** Renames a passkey. Returns `undefined` if the person has no such passkey. */
  rename(agent: AgentId, id: string, name: string): Promise<PasskeyInfo | undefined>;
  /** Removes a passkey. Returns `undefined` if the person had no such passkey. */
  remove(agent: AgentId, id: string, by: AgentId): Promise<PasskeyInfo | undefined>;
  /** Creates the challenge for a login. Throws `auth.limited`. */
  challenge(from: Visitor): Promise<PasskeyChallenge>;
  /**
   * Returns the session that the signed challenge allows, for `logins.begin`. It proves identity,
   * because the authenticator has just verified the person. Throws `auth.invalid`,
   * `auth.limited`.
   */
  answer(answer: PasskeyAnswer, from: Visitor): Promise<PermittedSession>;
}

export interface PasskeyAnswer {
  readonly ticket: string;
  readonly passkey: PasskeyAssertion;
}

/** A browser that is not logged in. */
export interface Visitor {
  /** The address of the house that the browser uses. */
  readonly origin: string;
  readonly peer: Peer;
}

export interface PasskeysOptions {
  readonly world: World;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "commit">;
  readonly attempts: Pick<LoginAttempts, "challenge" | "guess" | "recordInvalidCredential">;
}

interface Challenge {
  readonly challenge: string;
  readonly origin: string;
}

interface Registration extends Challenge {
  /** The person who gets the new passkey. */
  readonly agent: AgentId;
}

export const CHALLENGE_MS = 5 * 60_000;
export const MAX_PASSKEYS = 50;
const CHALLENGE_SIZE_BYTES = 32;
const RELYING_PARTY_NAME = "Hearth";
/** Ed25519, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];

export const createPasskeys = ({ world, store, streams, attempts }: PasskeysOptions): Passkeys => {
  const { clock, ids } = world;
  // Two lists, so that browsers without a credential cannot displace registrations.
  const registrations = createSecondSteps<Registration>(world, CHALLENGE_MS);
  const challenges = createSecondSteps<Challenge>(world, CHALLENGE_MS);

  const rowsOf = (agent: AgentId): Promise<readonly Row<"passkeys">[]> =>
    store.select({ table: "passkeys", where: { agent }, order: [{ column: "created_at" }] });

  const createChallenge = () => Uint8Array.from(world.random(CHALLENGE_SIZE_BYTES));

  const toPasskeyEvent = (agent: AgentId, by: AgentId, name: string, change: PasskeyChanged["change"]) => ({
    stream: `agent:${agent}` as const,
    id: ids.fresh("evt"),
    event: { type: "passkey-changed" as const, at: clock.now(), by, name, change },
  });

  /** Reports in the person's log that their passkey may have been copied. */
  const refuseCopy = async ({ agent, name }: Row<"passkeys">): Promise<never> => {
    await streams.commit({ writes: [], events: [toPasskeyEvent(agent, agent, name, "refused-copy")] });
    throw copiedPasskeyError();
  };

  return {
    list: async (agent) => (await rowsOf(agent)).map(toInfo).toReversed(),

    async begin({ id: agent, handle, content }, origin) {
      const challenge = createChallenge();
      const rows = await rowsOf(agent);
      if (rows.length >= MAX_PASSKEYS)
        throw new HearthError("auth.passkey", `You have ${MAX_PASSKEYS} passkeys, which is the limit.`, {
          hint: "Remove one that you do not use.",
        });
      const options = await generateRegistrationOptions({
        rpName: RELYING_PARTY_NAME,
        rpID: hostOf(origin),
        userName: handle,
        userID: new TextEncoder().encode(agent),
        userDisplayName: content.name,
        challenge,
        attestationType: "none",
        excludeCredentials: rows.map(({ id }) => ({ id })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        supportedAlgorithmIDs: ALGORITHMS,
      });
      const begunRegistration = registrations.begin({ challenge: options.challenge, origin, agent });
      return { ...begunRegistration, options: { ...options } };
    },

    async add({ id: agent }, { ticket, name, passkey }, origin) {
      const registration = takeChallenge(registrations, ticket, origin);
      if (registration === undefined || registration.agent !== agent) throw challengeExpiredError();
      const host = hostOf(origin);
      const { registrationInfo } = await verifyRegistrationResponse({
        response: { ...passkey, response: { ...passkey.response, transports: [] }, clientExtensionResults: {} },
        expectedChallenge: registration.challenge,
        expectedOrigin: origin,
        expectedRPID: host,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch((cause: unknown) => {
        throw notVerifiedError(cause);
      });
      if (registrationInfo === undefined) throw notVerifiedError(undefined);
      const { id, publicKey, counter } = registrationInfo.credential;
      const row: Row<"passkeys"> = {
        id,
        agent,
        name,
        public_key: isoBase64URL.fromBuffer(publicKey),
        counter,
        host,
        created_at: clock.now(),
        used_at: null,
      };
      const result = await streams.commit({
        guards: [
          { kind: "exists", table: "records", where: { id: agent, type: "agent" } },
          { kind: "absent", table: "passkeys", where: { id } },
        ],
        writes: [{ kind: "insert", table: "passkeys", row }],
        events: [toPasskeyEvent(agent, agent, name, "added")],
      });
      if (result.kind !== "committed") throw notVerifiedError(undefined);
      return toInfo(row);
    },

    async rename(agent, id, name) {
      const [row] = await store.select({ table: "passkeys", where: { agent, id } });
      if (row === undefined) return undefined;
      const result = await streams.commit({
        guards: [{ kind: "exists", table: "passkeys", where: { agent, id } }],
        writes: [{ kind: "update", table: "passkeys", where: { agent, id }, set: { name } }],
        events: [toPasskeyEvent(agent, agent, name, "renamed")],
      });
      return result.kind === "committed" ? toInfo({ ...row, name }) : undefined;
    },

    async remove(agent, id, by) {
      const [row] = await store.select({ table: "passkeys", where: { agent, id } });
      if (row === undefined) return undefined;
      const result = await streams.commit({
        guards: [{ kind: "exists", table: "passkeys", where: { agent, id } }],
        writes: [{ kind: "delete", table: "passkeys", where: { agent, id } }],
        events: [toPasskeyEvent(agent, by, row.name, "removed")],
      });
      return result.kind === "committed" ? toInfo(row) : undefined;
    },

    async challenge({ origin, peer }) {
      attempts.challenge(peer);
      const options = await generateAuthenticationOptions({
        rpID: hostOf(origin),
        challenge: createChallenge(),
        userVerification: "required",
      });
      const challenge = challenges.begin({ challenge: options.challenge, origin });
      return { ...challenge, options: { ...options } };
    },

    async answer({ ticket, passkey }, { origin, peer }) {
      const storedChallenge = takeChallenge(challenges, ticket, origin);
      const [row] = await store.select({ table: "passkeys", where: { id: passkey.id } });
      if (storedChallenge === undefined || row === undefined || row.host !== hostOf(origin)) {
        attempts.recordInvalidCredential(peer);
        throw wrongPasskeyError();
      }
      const guess = attempts.guess(peer, row.agent);
      const counter = await verifyAssertion(row, passkey, storedChallenge).catch((cause: unknown) => {
        throw wrongPasskeyError(cause);
      });
      // An authenticator that does not count always sends 0.
      if (counter <= row.counter && (counter > 0 || row.counter > 0)) return refuseCopy(row);
      guess.confirm();
      const where = { id: row.id, agent: row.agent };
      return {
        agent: row.agent,
        method: "passkey",
        proves: true,
        sameCommit: {
          guards: [{ kind: "exists", table: "passkeys", where: { ...where, counter: row.counter } }],
          writes: [{ kind: "update", table: "passkeys", where, set: { counter, used_at: clock.now() } }],
        },
      };
    },
  };
};

/** Uses up the challenge, even if its answer is wrong. */
const takeChallenge = <Kind extends Challenge>(
  list: SecondSteps<Kind>,
  ticket: string,
  origin: string,
): Kind | undefined => {
  const storedChallenge = list.try(ticket);
  list.end(ticket);
  return storedChallenge?.origin === origin ? storedChallenge : undefined;
};

/**
 * Returns the signature counter. Throws unless the passkey signed the challenge for this address,
 * after the authenticator verified its person.
 */
const verifyAssertion = async (
  row: Row<"passkeys">,
  { id, rawId, type, response: { userHandle, ...response } }: PasskeyAssertion,
  { challenge, origin }: Challenge,
): Promise<number> => {
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { id, rawId, type, response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: row.host,
    // The caller compares counters after the signature, so that only the holder of the key can report a copy.
    credential: { id: row.id, publicKey: isoBase64URL.toBuffer(row.public_key), counter: 0 },
    requireUserVerification: true,
  });
  if (!verified) throw new TypeError("the signature is wrong");
  if (typeof userHandle === "string" && isoBase64URL.toUTF8String(userHandle) !== row.agent)
    throw new TypeError("the passkey belongs to another person");
  return authenticationInfo.newCounter;
};

/**
 * Returns the host name to which passkeys are bound. Throws `auth.passkey` for an address without a
 * name.
 */
const hostOf = (origin: string): string => {
  const { hostname, port } = new URL(origin);
  if (!/^[\d.]+$|:/.test(hostname)) return hostname;
  throw new HearthError("auth.passkey", `Passkeys do not work at the IP address ${hostname}.`, {
    hint: `Open Hearth at its public address, or on its own machine at http://localhost${port === "" ? "" : `:${port}`}/.`,
  });
};

const toInfo = ({ id, name, host, created_at, used_at }: Row<"passkeys">): PasskeyInfo => ({
  id,
  name,
  host,
  createdAt: created_at,
  ...(used_at === null ? {} : { usedAt: used_at }),
});

const challengeExpiredError = (): HearthError =>
  new HearthError("auth.passkey", "Adding the passkey took too long, or was started elsewhere.", {
    hint: "Start again.",
  });

const notVerifiedError = (cause: unknown): HearthError =>
  new HearthError("auth.passkey", "The passkey could not be verified.", {
    hint: "Start again, and confirm with the screen lock, the fingerprint or the PIN of the device.",
    cause,
  });

const wrongPasskeyError = (cause?: unknown): HearthError =>
  new HearthError("auth.invalid", "The house does not know this passkey, or the login took too long.", {
    hint: "Try again, or log in with your password.",
    cause,
  });

const copiedPasskeyError = (): HearthError =>
  new HearthError("auth.invalid", "This passkey was refused, because a copy of it may have been used.", {
    hint: "Log in in another way, remove the passkey under Settings → Account, and add a new one.",
  });
