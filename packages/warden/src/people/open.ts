/**
 * Opens the area `people`: records, permissions, credentials, rooms and pairings. The first start
 * creates the house.
 */
import { toRecord } from "./records/record-rows.ts";
import type { Blobs, ConfigSource, DeferringStore, DurableStreams, Log, Notices, Store } from "../kernel/index.ts";
import {
  type AgentId,
  type AgentRecord,
  HearthError,
  type HouseId,
  includesLevel,
  lazy,
  lazyMethods,
  type World,
} from "@hearth/protocol";
import type { ToolTable } from "@hearth/protocol/tools";
import { createKeys, type Keys } from "./credentials/house-keys.ts";
import { createLogins, type Logins } from "./credentials/house-logins.ts";
import { createPasswords, type Passwords } from "./credentials/house-passwords.ts";
import { type LoginAttempts, createLoginAttempts } from "./credentials/login-attempts.ts";
import type { PasswordHash } from "./credentials/password-hash.ts";
import type { SecondFactors, SecondFactorsOptions } from "./credentials/house-second-factors.ts";
import type { Passkeys, PasskeysOptions } from "./credentials/house-passkeys.ts";
import type { Identities, IdentitiesOptions } from "./credentials/house-identities.ts";
import type { Seeds } from "./credentials/second-codes.ts";
import type { Invites } from "./invites/house-invites.ts";
import { createPairings, type Pairings } from "./pairings/house-pairings.ts";
import { applyPins } from "./permissions/apply-pins.ts";
import { createGrantBook } from "./permissions/grant-book.ts";
import { createPermissions, type Permissions } from "./permissions/house-permissions.ts";
import { type AudienceOf, createAudiences, createMayCarry, type MayCarry } from "./records/audiences.ts";
import { foundHouse } from "./records/found-house.ts";
import { createRecords } from "./records/house-records.ts";
import type { Records } from "./records/records.ts";
import { createStandings, type StandingOf } from "./records/standings.ts";
import type { Chats, ChatsOptions } from "./rooms/chats.ts";
import { createRooms, type Rooms } from "./rooms/house-rooms.ts";
import type { MessageSearch } from "./rooms/message-search.ts";
import type { Uploads } from "./uploads/uploads.ts";
import type { VoiceChoiceBook } from "./voice-choices.ts";

/** The parts of the kernel that this area uses. */
interface PeopleKernel {
  readonly world: World;
  readonly log: Log;
  readonly store: Store;
  readonly deferring: DeferringStore;
  readonly blobs: Blobs;
  readonly streams: DurableStreams;
  readonly config: ConfigSource;
  readonly notices: Notices;
}

export interface PeopleOptions {
  readonly kernel: PeopleKernel;
  readonly passwordHash: PasswordHash;
  /** Encrypts the seeds of second factors. */
  readonly seeds: Seeds;
  /** IANA time zone of the machine. */
  readonly timezone: () => string;
  /** The tools that records may name. Absent: the built-in tools. */
  readonly table?: ToolTable;
}

/**
 * Whether one agent may contact another: in the same house, or with write permission in the
 * other's.
 */
export type MayReach = (from: AgentRecord, to: AgentRecord) => Promise<boolean>;

/** The records, rooms and credentials that the API shows and changes. */
export interface ServedPeople {
  /** The first house. */
  readonly house: HouseId;
  readonly records: Records;
  readonly permissions: Permissions;
  readonly keys: Keys;
  readonly logins: Logins;
  readonly passwords: Passwords;
  readonly secondFactors: SecondFactors;
  readonly passkeys: Passkeys;
  readonly identities: Identities;
  /** Limits failed attempts. */
  readonly attempts: LoginAttempts;
  readonly rooms: Rooms;
  readonly chats: Chats;
  readonly messageSearch: MessageSearch;
  readonly uploads: Uploads;
  readonly voiceChoices: VoiceChoiceBook;
  readonly pairings: Pairings;
  readonly invites: Invites;
  readonly audienceOf: AudienceOf;
}

export interface People extends ServedPeople {
  /** The first person of the first house. */
  readonly owner: AgentId;
  readonly standingOf: StandingOf;
  readonly mayCarry: MayCarry;
  readonly mayReach: MayReach;
}

export const openPeople = async (options: PeopleOptions): Promise<People> => {
  const { world, log, store, deferring, streams, config, notices } = options.kernel;
  const table = options.table === undefined ? {} : { table: options.table };
  const house = await foundHouse({ world, store, streams, timezone: options.timezone });
  const owner = await ownerOf({ store, house });
  const book = createGrantBook(store);
  const recordsWithoutPins = createRecords({ world, store, streams, book, pinned: () => undefined, ...table });
  await applyPins({ config, records: recordsWithoutPins, house, owner });
  const records = createRecords({
    world,
    store,
    streams,
    book,
    ...table,
    pinned: (type, handle, field) => (type === "agent" ? config.pinPlaceOf(handle, field) : undefined),
  });
  const logins = createLogins({ world, store, streams, life: () => config.current().login });
  const attempts = createLoginAttempts(world);
  const permissions = createPermissions({ world, store, streams, records, book });
  const uploads = createLazyUploads(options.kernel);
  const audienceOf = createAudiences({ permissions, records });
  const passwords = createPasswords({ world, store, attempts, logins, hash: options.passwordHash });
  const chats = createLazyChats({ world, store, records, streams });
  const findAgent = (id: AgentId) => records.find("agent", id);
  return {
    house,
    owner,
    records,
    permissions,
    keys: createKeys({ world, store, streams, defer: deferring.defer, house }),
    logins,
    passwords,
    passkeys: createLazyPasskeys({ world, store, streams, attempts }),
    identities: createLazyIdentities({ world, store, streams, records, permissions, house, owner }),
    secondFactors: createLazySecondFactors({ world, store, streams, seeds: options.seeds, attempts, find: findAgent }),
    attempts,
    rooms: createRooms({ world, records, permissions, streams, uploads, chats }),
    chats,
    messageSearch: lazyMethods(async () => {
      const { createMessageSearch } = await import("./rooms/message-search.ts");
      return createMessageSearch({ world, log, store, streams });
    }, ["find", "catchUp"]),
    uploads,
    voiceChoices: createLazyVoiceChoices({ store }),
    pairings: createPairings({ world, log, store, records, house, outbox: notices }),
    invites: lazyMethods(async () => {
      const { createInvites } = await import("./invites/house-invites.ts");
      return createInvites({ world, store, records, passwords, logins });
    }, ["list", "create", "revoke", "preview", "accept"]),
    audienceOf,
    standingOf: createStandings({ permissions, records }),
    mayCarry: createMayCarry({ permissions, records, audienceOf }),
    mayReach: async ({ id, house: fromHouse }, { house: toHouse }) =>
      fromHouse === toHouse || includesLevel(await permissions.levelOf({ agent: id }, toHouse), "w"),
  };
};

/** Loads the choices at the first reply that may be spoken. */
const createLazyVoiceChoices = (options: { readonly store: Store }): VoiceChoiceBook => {
  const load = lazy(async () => (await import("./voice-choices.ts")).createVoiceChoices(options));
  return lazyMethods(load, ["of", "choose"]);
};

/** Loads the second factors at the first login. There is one instance, because its tickets are in memory. */
const createLazySecondFactors = (options: SecondFactorsOptions): SecondFactors => {
  const load = lazy(async () => (await import("./credentials/house-second-factors.ts")).createSecondFactors(options));
  return lazyMethods(load, ["isOn", "show", "begin", "confirm", "renew", "remove", "use", "next", "answer"]);
};

/** Loads the passkeys at the first use of a passkey, with the library that verifies it. */
const createLazyPasskeys = (options: PasskeysOptions): Passkeys => {
  const load = lazy(async () => (await import("./credentials/house-passkeys.ts")).createPasskeys(options));
  return lazyMethods(load, ["list", "begin", "add", "rename", "remove", "challenge", "answer"]);
};

/** Loads the chats when a person begins or arranges chats. */
const createLazyChats = (options: ChatsOptions): Chats =>
  lazyMethods(
    async () => (await import("./rooms/chats.ts")).createChats(options),
    ["begin", "branch", "views", "setView", "rename", "titleFrom", "retitle"],
  );

/** Loads the identities at the first login by a provider. */
const createLazyIdentities = (options: IdentitiesOptions): Identities => {
  const load = lazy(async () => (await import("./credentials/house-identities.ts")).createIdentities(options));
  return lazyMethods(load, ["list", "link", "unlink", "isLinked", "logIn", "create", "setLevel"]);
};

/** Loads the uploads at the first upload, because a start never uploads. */
const createLazyUploads = (kernel: PeopleKernel): Uploads => {
  const load = lazy(async () => (await import("./uploads/house-uploads.ts")).createUploads(kernel));
  return lazyMethods(load, [
    "limits",
    "begin",
    "storeFile",
    "attachmentsOf",
    "show",
    "append",
    "cancel",
    "planMessage",
    "planRemoval",
    "erase",
    "open",
    "listRoom",
    "find",
    "findText",
    "keepText",
    "findPicture",
    "keepPicture",
    "sweep",
  ]);
};

/** Returns the first person of the house. */
const ownerOf = async ({
  store,
  house,
}: {
  readonly store: Pick<Store, "select">;
  readonly house: HouseId;
}): Promise<AgentId> => {
  const rows = await store.select({
    table: "records",
    where: { type: "agent", house },
    order: [{ column: "created_at" }],
  });
  for (const record of rows.map(toRecord))
    if (record.type === "agent" && record.content.kind === "human") return record.id;
  throw new HearthError("store.foreign", "This home has no owner.", { hint: "Restore hearth.db from a backup." });
};
