/**
 * Parts that turns and their inspectors share: session starts, summaries, authors, and the removal
 * of forgotten text.
 */
import { createKeptTexts, type KeptTexts } from "../../kernel/index.ts";
import { createRoomName, type RoomName } from "../../people/index.ts";
import { lazy, type World } from "@hearth/protocol";
import type { FindEarlier } from "../memory/house-memory.ts";
import { type AuthorsOf, createAuthors } from "./authors.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createStretches, type Stretches } from "./compaction/stretches.ts";
import { createSummaries, type Summaries } from "./compaction/summaries.ts";
import type { HouseTraces, TracesOptions } from "./traces/traces.ts";
import type { Redactions } from "./traces/redactions.ts";

export interface SessionParts {
  readonly sessions: Sessions;
  readonly summaries: Summaries;
  readonly stretches: Stretches;
  readonly authorsOf: AuthorsOf;
  readonly roomName: RoomName;
  /** Inputs of turns, as blobs. */
  readonly texts: KeptTexts;
  readonly traces: HouseTraces;
  /** Text forgotten while turns ran. */
  readonly redactions: Redactions;
  readonly earlier: FindEarlier;
}

type Options = Omit<Parameters<typeof createSessions>[0], "summaries" | "clock"> &
  Omit<Parameters<typeof createStretches>[0], "sessions"> &
  Parameters<typeof createAuthors>[0] &
  Omit<TracesOptions, "texts" | "sessions" | "redactions"> & { readonly world: World };

export const createSessionParts = (options: Options): SessionParts => {
  const { world, blobs } = options;
  const { clock } = world;
  const summaries = createSummaries(blobs);
  const sessions = createSessions({ ...options, clock, summaries });
  const texts = createKeptTexts({ clock, blobs });
  const authorsOf = createAuthors(options);
  // Loaded lazily: few sessions become long enough.
  const earlier = lazy(async () =>
    (await import("./earlier.ts")).createFindEarlier({ ...options, sessions, authorsOf }),
  );
  const redactions: Redactions = new Map();
  // Loaded lazily: few houses forget anything.
  const traces = lazy(async () =>
    (await import("./traces/traces.ts")).createTraces({ ...options, texts, sessions, redactions }),
  );
  return {
    ...{ sessions, summaries, texts, redactions },
    stretches: createStretches({ ...options, sessions }),
    authorsOf,
    earlier: async (...asked) => (await earlier())(...asked),
    roomName: createRoomName(options),
    traces: {
      erase: async (meant) => (await traces()).erase(meant),
      scrub: async () => (await traces()).scrub(),
      sweep: async () => (await traces()).sweep(),
    },
  };
};
