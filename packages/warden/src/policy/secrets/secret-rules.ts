/** Rules that all vaults share: valid secrets, and their place in a request. */
import {
  HearthError,
  MAX_SECRET_SIZE,
  MIN_SECRET_SIZE,
  type HouseId,
  NewSecretGrant,
  type SecretGrant,
  SecretName,
  type SecretUse,
} from "@hearth/protocol";
import type { Row, Store } from "../../kernel/index.ts";
import { DEFAULT_PORTS } from "../network/grants.ts";
import { matchesHost, normalizeHost } from "../network/host.ts";
import type { Injection, Outgoing } from "./vault.ts";

const encoder = new TextEncoder();

/** The prefix of the stored names of the house's own values. No `SecretName` has a colon. */
const OWN_PREFIX = "own:";
export const toOwnName = (name: string): string => `${OWN_PREFIX}${name}`;
export const isOwnName = (stored: string): boolean => stored.startsWith(OWN_PREFIX);
/** Returns the names of the house's own values among stored names. */
export const ownNamesIn = (stored: readonly string[]): readonly string[] =>
  stored.filter(isOwnName).map((name) => name.slice(OWN_PREFIX.length));

/** Checks a secret. Throws `secret.invalid`, whose message never repeats the value. */
export const checkSecret = (name: string, value: string): void => {
  const why = !SecretName.safeParse(name).success ? "the name is invalid" : invalidReasonOf(value);
  if (why === undefined) return;
  throw new HearthError("secret.invalid", `Cannot store the secret: ${why}.`, {
    hint: `A name has at most 64 letters, digits, _ and -. A value is text of ${MIN_SECRET_SIZE} bytes to ${MAX_SECRET_SIZE / 1024} KiB.`,
  });
};

/**
 * Maximum size of all values of a home together. Redaction keeps every form of each value in
 * memory.
 */
export const MAX_VAULT_SIZE = 1024 * 1024;

/** Throws `secret.invalid` if there is no room for the value beside the others. */
export const checkRoom = (value: string, otherBytes: number): void => {
  if (encoder.encode(value).length + otherBytes <= MAX_VAULT_SIZE) return;
  throw new HearthError("secret.invalid", "Cannot store the secret: the vault is full.", {
    hint: `All secrets of a home have at most ${MAX_VAULT_SIZE / 1024} KiB together. Remove unused ones: hearth secret list`,
  });
};

const invalidReasonOf = (value: string): string | undefined => {
  if (!value.isWellFormed()) return "the value is not well-formed Unicode";
  const { length } = encoder.encode(value);
  if (length > MAX_SECRET_SIZE) return "the value is too long";
  return length < MIN_SECRET_SIZE
    ? "the value is too short: redaction would match it by chance in other text"
    : undefined;
};

/** Throws `secret.invalid` for a value that a header cannot contain. */
export const checkUse = (name: string, value: string, use: SecretUse): void => {
  if (use.startsWith("basic:") || HEADER_VALUE.test(value)) return;
  throw new HearthError(
    "secret.invalid",
    `The value of ${name} cannot be sent in a header: it has characters other than printable ASCII.`,
    {
      hint: "Set it again without line breaks or surrounding spaces, or grant it as basic:USER.",
    },
  );
};

const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

export const matchesGrant = (terms: NewSecretGrant, to: Outgoing): boolean =>
  (to.scheme === "https" || terms.plain === true) &&
  to.port === (terms.port ?? DEFAULT_PORTS[to.scheme]) &&
  (terms.methods === undefined || terms.methods.some((method) => method === to.method)) &&
  matchesHost(terms.host, to.host);

/**
 * Throws `auth.denied` unless a present grant to an agent has these terms. A new host could read the
 * value, so an administrator decides on it.
 */
export const requireExistingTerms = (
  name: string,
  terms: Omit<NewSecretGrant, "agent">,
  grants: readonly SecretGrant[],
): void => {
  if (grants.some((grant) => grant.agent !== "providers" && haveSameTerms(grant, terms))) return;
  throw new HearthError("auth.denied", `No agent has a grant that sends ${name} to ${terms.host} in this way.`, {
    hint: "With the right secrets, you can only extend existing grants to other agents. Ask an administrator for the first grant of a host.",
  });
};

/** Whether two grants send a secret to the same place in the same way. */
const haveSameTerms = (a: Omit<NewSecretGrant, "agent">, b: Omit<NewSecretGrant, "agent">): boolean =>
  a.host === b.host &&
  a.port === b.port &&
  a.as === b.as &&
  a.plain === b.plain &&
  JSON.stringify(a.methods) === JSON.stringify(b.methods);

/** Chooses one grant per header. The more exact host wins, then the newer grant. */
export const chooseGrants = <Granted extends { readonly grant: SecretGrant }>(
  granted: readonly Granted[],
): readonly Granted[] => {
  const byHeader = new Map<string, Granted>();
  // Ids sort by creation time.
  const byPreference = granted.toSorted(
    (a, b) => exactnessOf(a.grant) - exactnessOf(b.grant) || (a.grant.id < b.grant.id ? -1 : 1),
  );
  for (const candidate of byPreference) byHeader.set(headerOf(candidate.grant.as).toLowerCase(), candidate);
  return [...byHeader.values()];
};

/**
 * Returns how exact a host is. A host without `*.` is the most exact. Among the others, the longer is
 * more exact.
 */
const exactnessOf = ({ host }: SecretGrant): number => (host.startsWith("*.") ? host.length : Number.MAX_SAFE_INTEGER);

const headerOf = (use: SecretUse): string =>
  use.startsWith("header:") ? use.slice("header:".length) : "Authorization";

export const toInjection = (secret: string, use: SecretUse, value: string): Injection => {
  const header = headerOf(use);
  if (use === "bearer") return { secret, header, value: `Bearer ${value}` };
  if (use.startsWith("basic:"))
    return { secret, header, value: `Basic ${toBase64(encoder.encode(`${use.slice("basic:".length)}:${value}`))}` };
  return { secret, header, value };
};

export const toBase64 = (bytes: Uint8Array): string => {
  let text = "";
  // The bytes are converted in chunks, because the number of arguments of a call is limited.
  for (let offset = 0; offset < bytes.length; offset += 8192)
    text += String.fromCharCode(...bytes.subarray(offset, offset + 8192));
  return btoa(text);
};

export const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

export const secretNotFoundError = (name: string): HearthError =>
  new HearthError("secret.not-found", `There is no secret ${name}.`, { hint: "List the secrets: hearth secret list" });

export const secretExistsError = (name: string): HearthError =>
  new HearthError("secret.taken", `A secret ${name} already exists.`, {
    hint: `To give it another value: hearth secret rotate ${name}`,
  });

export const grantNotFoundError = (name: string, id: string): HearthError =>
  new HearthError("secret.not-found", `${name} has no grant ${id}.`, {
    hint: "List the secrets and their grants: hearth secret list",
  });

/**
 * Returns the destination of a URL as grants describe it, without a method, because providers use
 * several.
 */
export const toDestination = (url: URL): Omit<Outgoing, "method"> => {
  const scheme = url.protocol === "https:" ? "https" : "http";
  return {
    scheme,
    host: normalizeHost(url.hostname) ?? "",
    port: url.port === "" ? DEFAULT_PORTS[scheme] : Number(url.port),
  };
};

/**
 * Checks host, port and scheme of the grants. Ignores the method, because providers use several.
 */
export const requireForProviders = (
  name: string,
  grants: readonly Pick<SecretGrant, "agent" | "host" | "port" | "plain" | "as">[],
  to: Omit<Outgoing, "method">,
): void => {
  const isGranted = grants.some(
    ({ agent, host, port, plain, as }) =>
      agent === "providers" &&
      matchesGrant(
        { agent, host, as, ...(port === undefined ? {} : { port }), ...(plain === true ? { plain } : {}) },
        { ...to, method: "POST" },
      ),
  );
  if (isGranted) return;
  const isDefaultPort = to.port === DEFAULT_PORTS[to.scheme];
  throw new HearthError(
    "secret.invalid",
    `The secret ${name} is not granted to providers for ${to.scheme}://${to.host}${isDefaultPort ? "" : `:${to.port}`}.`,
    {
      hint: `To allow it, run: hearth secret grant ${name} --providers --host ${to.host}${isDefaultPort ? "" : ` --port ${to.port}`}${to.scheme === "http" ? " --plain" : ""}`,
    },
  );
};

/** Returns the error for an agent that is not in the secret's house. */
export const agentNotFoundError = (agent: string, name: string): HearthError =>
  new HearthError("secret.invalid", `No agent ${agent} exists in the house of the secret ${name}.`, {
    hint: "List the agents: hearth agent list",
  });

/** Returns all grants of a house, oldest first. */
export const grantsOf = (store: Pick<Store, "select">, house: HouseId): Promise<readonly Row<"secret_grants">[]> =>
  store.select({ table: "secret_grants", where: { house }, order: [{ column: "at" }, { column: "id" }] });

export const toGrant = (row: Row<"secret_grants">): SecretGrant => ({
  ...NewSecretGrant.parse({ ...JSON.parse(row.terms), agent: row.agent }),
  id: row.id,
  by: row.by,
  at: row.at,
});
