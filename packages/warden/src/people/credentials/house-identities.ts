/**
 * Links accounts at OpenID Connect providers to people. Issuer and subject identify an account. Its
 * name and address are never compared with a person's.
 */
import type { DurableStreams, Guard, Row, Store } from "../../kernel/index.ts";
import {
  type AgentId,
  HearthError,
  type HouseId,
  type IdentityChanged,
  type IdentityInfo,
  isHearthError,
  type Level,
  type World,
} from "@hearth/protocol";
import type { Permissions } from "../permissions/house-permissions.ts";
import { withoutHidden } from "../records/plain-name.ts";
import type { Records } from "../records/records.ts";
import { createNewPeople, type NewPerson, type ToLink } from "./new-people.ts";
import type { FirstStep } from "./house-second-factors.ts";

/** An account whose login the provider has just confirmed. */
export interface Account {
  /** The name of the provider in the config file. */
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  /** The provider's name for the account, such as its e-mail address. Only for display. */
  readonly account?: string;
  /** The name of the person who is created for the account. */
  readonly name?: string;
}

export interface Identities {
  /** Returns the linked accounts, newest first. */
  list(agent: AgentId): Promise<readonly IdentityInfo[]>;
  /** Links the account to a person. Throws `auth.sso` if it is linked to another person. */
  link(agent: AgentId, account: Account, guards: readonly Guard[]): Promise<IdentityInfo>;
  /**
   * Removes a link. Returns `undefined` if the person has no such account. Throws `auth.sso` if a
   * person removes their own last way to log in.
   */
  unlink(agent: AgentId, id: string, by: AgentId): Promise<IdentityInfo | undefined>;
  /** Whether the account is linked to a person. */
  isLinked(account: Account): Promise<boolean>;
  /**
   * Returns the first step of a login by a linked account. Throws `auth.sso` for any other
   * account.
   */
  logIn(account: Account): Promise<FirstStep>;
  /** Creates a person for the account, unless another login has created one meanwhile. */
  create(account: Account, rights: NewPerson): Promise<void>;
  /**
   * Sets the person's level on the first house. The last administrator keeps `x`, which is
   * recorded in their log.
   */
  setLevel(agent: AgentId, provider: string, level: Level): Promise<void>;
}

export interface IdentitiesOptions {
  readonly world: World;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "commit">;
  readonly records: Records;
  readonly permissions: Pick<Permissions, "assign">;
  /** The first house. */
  readonly house: HouseId;
  /** The person in whose name the config file creates people and gives levels. */
  readonly owner: AgentId;
}

export const MAX_IDENTITIES = 20;
/** In hexadecimal digits: 128 bits. */
const ID_LENGTH = 32;
const MAX_ACCOUNT_LENGTH = 200;

type IdentityRow = Row<"identities">;

export const createIdentities = (options: IdentitiesOptions): Identities => {
  const { world, store, streams, records, permissions, house, owner } = options;
  const { clock, ids, hash } = world;
  const newPeople = createNewPeople({ clock, records, house, owner });

  const idOf = ({ issuer, subject }: Account): string => hash(JSON.stringify([issuer, subject])).slice(0, ID_LENGTH);

  const find = async (account: Account): Promise<IdentityRow | undefined> => {
    const { issuer, subject } = account;
    const [row] = await store.select({ table: "identities", where: { id: idOf(account), issuer, subject } });
    return row;
  };

  const toIdentityEvent = (agent: AgentId, by: AgentId, provider: string, change: IdentityChanged["change"]) => ({
    stream: `agent:${agent}` as const,
    id: ids.fresh("evt"),
    event: { type: "identity-changed" as const, at: clock.now(), by, provider, change },
  });

  const toRow = (account: Account, agent: AgentId): IdentityRow => ({
    id: idOf(account),
    agent,
    provider: account.provider,
    issuer: account.issuer,
    subject: account.subject,
    account:
      account.account === undefined ? null : withoutHidden(account.account).slice(0, MAX_ACCOUNT_LENGTH).toWellFormed(),
    created_at: clock.now(),
    used_at: null,
  });

  const planLink =
    (account: Account): ToLink =>
    (agent) => ({
      guards: [{ kind: "absent", table: "identities", where: { id: idOf(account) } }],
      writes: [{ kind: "insert", table: "identities", row: toRow(account, agent) }],
      events: [toIdentityEvent(agent, agent, account.provider, "linked")],
    });

  /** Whether the person can log in without this account. */
  const hasOtherLogin = async (agent: AgentId, id: string): Promise<boolean> => {
    const [password] = await store.select({ table: "passwords", where: { agent } });
    const [passkey] = await store.select({ table: "passkeys", where: { agent } });
    const rows = await store.select({ table: "identities", where: { agent } });
    return password !== undefined || passkey !== undefined || rows.some((row) => row.id !== id);
  };

  return {
    list: async (agent) =>
      (await store.select({ table: "identities", where: { agent }, order: [{ column: "created_at" }] }))
        .map(toInfo)
        .toReversed(),

    async link(agent, account, guards) {
      const rows = await store.select({ table: "identities", where: { agent } });
      if (rows.length >= MAX_IDENTITIES)
        throw new HearthError("auth.sso", `You have ${MAX_IDENTITIES} linked accounts, which is the limit.`, {
          hint: "Unlink one that you do not use.",
        });
      const row = toRow(account, agent);
      const linkChange = planLink(account)(agent);
      const result = await streams.commit({
        guards: [
          { kind: "exists", table: "records", where: { id: agent, type: "agent" } },
          ...guards,
          ...linkChange.guards,
        ],
        writes: linkChange.writes,
        events: linkChange.events,
      });
      if (result.kind !== "committed")
        throw new HearthError(
          "auth.sso",
          "The account was not linked: it belongs to a person already, or your session ended.",
          {
            hint: "See the linked accounts under Settings → Account.",
          },
        );
      return toInfo(row);
    },

    async unlink(agent, id, by) {
      const [row] = await store.select({ table: "identities", where: { agent, id } });
      if (row === undefined) return undefined;
      if (by === agent && !(await hasOtherLogin(agent, id)))
        throw new HearthError("auth.sso", "This account is your only way to log in.", {
          hint: "First set a password or add a passkey.",
        });
      const result = await streams.commit({
        guards: [{ kind: "exists", table: "identities", where: { agent, id } }],
        writes: [{ kind: "delete", table: "identities", where: { agent, id } }],
        events: [toIdentityEvent(agent, by, row.provider, "unlinked")],
      });
      return result.kind === "committed" ? toInfo(row) : undefined;
    },

    isLinked: async (account) => (await find(account)) !== undefined,

    async logIn(account) {
      const row = await find(account);
      if (row === undefined) throw unknownAccountError();
      const where = { id: row.id, agent: row.agent };
      return {
        agent: row.agent,
        by: "sso",
        proves: false,
        sameCommit: {
          guards: [{ kind: "exists", table: "identities", where }],
          writes: [{ kind: "update", table: "identities", where, set: { used_at: clock.now() } }],
        },
      };
    },

    async create(account, rights) {
      try {
        await newPeople.create(account.name, rights, planLink(account));
      } catch (error) {
        // The guard failed because another login with this account was faster.
        if (isHearthError(error, "record.version") && (await find(account)) !== undefined) return;
        throw error;
      }
    },

    async setLevel(agent, provider, level) {
      try {
        await permissions.assign({ agent, on: house, level }, owner);
      } catch (error) {
        if (!isHearthError(error, "grant.last")) throw error;
        await streams.commit({ writes: [], events: [toIdentityEvent(agent, owner, provider, "kept-last-admin")] });
      }
    },
  };
};

const toInfo = ({ id, provider, issuer, account, created_at, used_at }: IdentityRow): IdentityInfo => ({
  id,
  provider,
  issuer,
  ...(account === null ? {} : { account }),
  createdAt: created_at,
  ...(used_at === null ? {} : { usedAt: used_at }),
});

/** Returns the same error for every account without a person, with any e-mail address. */
const unknownAccountError = (): HearthError =>
  new HearthError("auth.sso", "No person of this house is linked to this account.", {
    hint: "Log in in another way and link the account under Settings → Account, or ask an administrator for an invite link.",
  });
