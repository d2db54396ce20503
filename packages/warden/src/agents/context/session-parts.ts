/**
 * Creates the parts that both turns and people's views of turns use: session starts, summaries,
 * authors, and the removal of forgotten text.
 */
import { createTextBlobCache, type Kernel, type TextBlobCache } from "../../kernel/index.ts";
import { createRoomName, type People, type RoomName } from "../../people/index.ts";
import { lazy, lazyMethods } from "@hearth/protocol";
import type { FindEarlier } from "../memory/house-memory.ts";
import { type AuthorsOf, createAuthors } from "./authors.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createSessionRanges, type SessionRanges } from "./compaction/stretches.ts";
import { createSummaries, type Summaries } from "./compaction/summaries.ts";
import type { HouseTraces } from "./traces/traces.ts";
import type { Redactions } from "./traces/redactions.ts";

export interface SessionParts {
  readonly sessions: Sessions;
  readonly summaries: Summaries;
  readonly sessionRanges: SessionRanges;
  readonly authorsOf: AuthorsOf;
  readonly roomName: RoomName;
  /** The stored inputs of turns. */
  readonly texts: TextBlobCache;
  readonly traces: HouseTraces;
  /** The removals of text that people had agents forget while turns ran. */
  readonly redactions: Redactions;
  readonly earlier: FindEarlier;
}

export const createSessionParts = (kernel: Kernel, { records, standingOf, uploads }: People): SessionParts => {
  const { store, streams, blobs, world, signal } = kernel;
  const { clock } = kernel.world;
  const summaries = createSummaries(blobs);
  const sessions = createSessions({ clock, store, summaries });
  const texts = createTextBlobCache({ clock, blobs });
  const authorsOf = createAuthors({ records, standingOf });
  // Loaded lazily: few sessions become long enough.
  const earlier = lazy(async () =>
    (await import("./earlier.ts")).createFindEarlier({ store, streams, records, sessions, authorsOf }),
  );
  const redactions: Redactions = new Map();
  // Loaded lazily: few houses forget anything.
  const traces = lazy(async () =>
    (await import("./traces/traces.ts")).createTraces({
      world,
      store,
      blobs,
      streams,
      signal,
      records,
      uploads,
      texts,
      sessions,
      redactions,
    }),
  );
  return {
    sessions,
    summaries,
    texts,
    redactions,
    sessionRanges: createSessionRanges({ records, streams, sessions }),
    authorsOf,
    earlier: async (...args) => (await earlier())(...args),
    roomName: createRoomName({ store }),
    traces: lazyMethods(traces, ["erase", "scrub", "sweep"]),
  };
};
