/** Opens the parts of agents other than brains: sessions, inbox, memory, jobs and web search. */
import { createRetention, type Kernel, readReference } from "../kernel/index.ts";
import type { Cells } from "../cells/index.ts";
import type { Messaging } from "../channels/index.ts";
import type { Models } from "../models/index.ts";
import type { People } from "../people/index.ts";
import type { Policy, Secrets } from "../policy/index.ts";
import { lazy, lazyMethods } from "@hearth/protocol";
import type { ToolTable } from "@hearth/protocol/tools";
import type { Brains } from "./brains/brains.ts";
import { createDailyLog, type DailyLog } from "./context/daily-log/daily-log.ts";
import { createSessionParts, type SessionParts } from "./context/session-parts.ts";
import { createInbox } from "./inbox/house-inbox.ts";
import type { Inbox } from "./inbox/inbox.ts";
import type { MemoryParts } from "./memory/backend.ts";
import { openMemory, type OpenMemory } from "./memory/open.ts";
import type { Passages } from "./passages/passages.ts";
import type { PictureDescriptions } from "./descriptions/picture-descriptions.ts";
import type { SizedPictures } from "./pictures/sized-pictures.ts";
import type { Schedule } from "./schedule/house-schedule.ts";
import { createHouseSearch } from "./search/house-search.ts";
import type { WebSearch } from "./search/search.ts";
import type { ExternalTools } from "./tools/tool.ts";
import type { Transcripts } from "./voice/transcripts.ts";

export interface AgentsOptions {
  readonly kernel: Kernel;
  readonly people: People;
  readonly models: Models;
  readonly secrets: Secrets;
  readonly policy: Policy;
  readonly messaging: Messaging;
  readonly cells: Pick<Cells, "documents" | "pictures">;
  readonly brains: Brains;
  /** The built-in tools and those of `externalTools`. */
  readonly table: ToolTable;
  /** Tools in addition to the built-in ones. */
  readonly externalTools: ExternalTools;
  /** The memory's adapter. It is absent if agents recall nothing. */
  readonly memory?: MemoryParts | undefined;
}

export interface Agents extends OpenMemory, AsyncDisposable {
  readonly brains: Brains;
  readonly table: ToolTable;
  readonly externalTools: ExternalTools;
  readonly session: SessionParts;
  readonly inbox: Inbox;
  readonly schedule: Schedule;
  /** Returns the configured search engine. Throws `search.none`. */
  readonly search: () => WebSearch;
  readonly dailyLog: DailyLog;
  readonly transcripts: Transcripts;
  readonly passages: Passages;
  readonly pictures: SizedPictures;
  /** Descriptions of pictures for models that do not see. */
  readonly descriptions: PictureDescriptions;
  /** Erases old activations and handled inbox messages. */
  readonly retention: ReturnType<typeof createRetention>;
}

const DAY_MS = 24 * 60 * 60_000;

export const openAgents = (options: AgentsOptions): Agents => {
  const { kernel, people, secrets, policy, brains, table, externalTools } = options;
  const { world, config, store, streams, log, journal, blobs, audit } = kernel;
  const { records, audienceOf, rooms, standingOf } = people;
  const session = createSessionParts(kernel, people);
  const { traces } = session;
  const inbox = createInbox({ world, store, streams, show: policy.formatForPeople });
  const memory = openMemory({ kernel, people, secrets, policy, brains, traces, parts: options.memory });
  const { leakScan } = policy.chokePoint;
  const passages = createLazyPassages(options, session);
  const pictures = createLazyPictures(options);
  return {
    ...memory,
    brains,
    table,
    externalTools,
    session,
    inbox,
    schedule: createLazySchedule(options),
    transcripts: createLazyTranscripts(options),
    passages,
    pictures,
    descriptions: createLazyDescriptions(options, pictures),
    search: createHouseSearch({
      world,
      searchConfig: () => config.current().search,
      readKey: async (reference) => (await readReference(reference, secrets.references)).text,
    }),
    dailyLog: createDailyLog({
      world,
      log,
      store,
      streams,
      journal,
      records,
      audienceOf,
      rooms,
      standingOf,
      brains,
      redact: leakScan.redactOutgoing,
    }),
    retention: createRetention({
      world,
      log,
      store,
      blobs,
      audit,
      times: () => ({ activationMs: config.current().turns.logDays * DAY_MS, days: config.current().retention }),
      inbox,
      uploads: people.uploads,
      indexes: {
        async catchUp(signal) {
          await people.messageSearch.catchUp(signal);
          await passages.catchUp(signal);
        },
      },
      traces,
    }),
    async [Symbol.asyncDispose]() {
      await memory.memories[Symbol.asyncDispose]();
      await brains[Symbol.asyncDispose]();
    },
  };
};

/** Loads the index of attachments on first use, because few turns search attachments. */
const createLazyPassages = ({ kernel, people, cells }: AgentsOptions, { authorsOf }: SessionParts): Passages => {
  const load = lazy(async () =>
    (await import("./passages/passages.ts")).createPassages({ kernel, people, documents: cells.documents, authorsOf }),
  );
  return lazyMethods(load, ["find", "recall", "show", "catchUp"]);
};

const createLazyPictures = ({ people, cells }: AgentsOptions): SizedPictures => {
  const { uploads } = people;
  const load = lazy(async () =>
    (await import("./pictures/sized-pictures.ts")).createSizedPictures({ uploads, pictures: cells.pictures }),
  );
  return lazyMethods(load, ["show", "showSmall"]);
};

/** Loads transcription on first use, because most turns have no audio. */
const createLazyTranscripts = ({ kernel, people, models, policy }: AgentsOptions): Transcripts => {
  const { admitHomeCost } = policy;
  const { voice } = models;
  const load = lazy(async () =>
    (await import("./voice/transcripts.ts")).createTranscripts({
      uploads: people.uploads,
      kernel,
      voice,
      admitHomeCost,
    }),
  );
  return lazyMethods(load, ["find", "make", "edit"]);
};

/** Loads descriptions on first use, because most turns have no picture or a model that sees. */
const createLazyDescriptions = (
  { kernel, people, models, policy }: AgentsOptions,
  pictures: SizedPictures,
): PictureDescriptions => {
  const { openHomeGate } = policy;
  const { descriptions } = models;
  const load = lazy(async () =>
    (await import("./descriptions/picture-descriptions.ts")).createPictureDescriptions({
      uploads: people.uploads,
      kernel,
      pictures,
      descriptions,
      openHomeGate,
    }),
  );
  return lazyMethods(load, ["find", "make"]);
};

/** Loads the schedule right after the start, so that the start does not wait for calendar code. */
const createLazySchedule = ({ kernel, people, secrets, policy, messaging, brains }: AgentsOptions): Schedule => {
  const { vault } = secrets;
  const { holds, budgets } = policy;
  const { outbox } = messaging;
  const load = lazy(async () =>
    (await import("./schedule/house-schedule.ts")).createSchedule({
      kernel,
      people,
      brains,
      vault,
      outbox,
      holds,
      budgets,
    }),
  );
  return {
    ...lazyMethods(load, ["run", "skipDue", "list", "get", "add", "edit", "cancel", "fire", "preview", "slots"]),
    ...lazyMethods(load, ["openHook", "rotateHook", "closeHook", "deliver"]),
    own: lazyMethods(async () => (await load()).own, ["list", "add", "pause", "resume", "cancel"]),
  };
};
