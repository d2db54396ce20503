/** Reads a brain's history (the log and the diffs of changes) and undoes changes. */
import type { Store, Row } from "../../kernel/index.ts";
import { type AgentId, type BrainChange, HearthError, type UndoBrain } from "@hearth/protocol";
import type { Bodies } from "./bodies.ts";
import type { Brain } from "./brain.ts";
import { showDiff, revertChange } from "./diff.ts";
import type { KnownFiles } from "./known-files.ts";
import { decodeText, splitLines } from "./lines.ts";
import type { LiveBrain } from "./live-brain.ts";
import type { Edit, Recorder } from "./recorder.ts";

type VersionRow = Row<"brain_versions">;

/** Maximum number of versions in one read of the log. */
const VERSIONS_PER_READ = 500;
const FIRST_PLACE = 1;

export const createHistory = (options: {
  readonly agent: AgentId;
  readonly store: Pick<Store, "select">;
  readonly files: KnownFiles;
  readonly bodies: Bodies;
  readonly live: LiveBrain;
  readonly recorder: Recorder;
}): Pick<Brain, "log" | "diff" | "undo"> => {
  const { agent, store, files, bodies, live, recorder } = options;

  const rowsOf = async (change: string): Promise<readonly VersionRow[]> => {
    const rows = await store.select({
      table: "brain_versions",
      where: { agent, change },
      order: [{ column: "place" }],
    });
    if (rows.length > 0) return rows;
    throw new HearthError("brain.not-found", `This brain has no change ${change}.`, {
      hint: "List the changes: hearth brain log AGENT",
    });
  };

  /** Returns the changes to undo, newest first. */
  const versionsToUndo = async (request: UndoBrain): Promise<readonly VersionRow[]> => {
    if ("change" in request) return (await rowsOf(request.change)).toReversed();
    const rows = await store.select({
      table: "brain_versions",
      where: { agent, ...("activation" in request ? { activation: request.activation } : {}) },
      and: "since" in request ? [{ column: "at", is: ">=", value: request.since }] : [],
      order: [{ column: "place", descending: true }],
    });
    // The first scan is the oldest known state, and earlier times map to it.
    const oldest = rows.at(-1);
    return oldest?.place === FIRST_PLACE && "since" in request
      ? rows.filter(({ change }) => change !== oldest.change)
      : rows;
  };

  /** Returns the file's content as if this version had not been made. */
  const contentWithout = async (
    { path, before, after }: VersionRow,
    current: Uint8Array | undefined,
  ): Promise<Content> => {
    const hash = hashOf(current);
    if (hash === after) return bodies.readOf(before);
    if (hash === before) return current;
    const texts = await Promise.all([bodies.readOf(after), bodies.readOf(before)]);
    const [base, oldText, currentText] = [...texts, current].map((bytes) =>
      bytes === undefined ? undefined : decodeText(bytes),
    );
    const lines =
      base === undefined || currentText === undefined
        ? undefined
        : revertChange(splitLines(base), splitLines(oldText ?? ""), splitLines(currentText));
    if (lines !== undefined) return encoder.encode(lines.join(""));
    throw new HearthError(
      "brain.changed",
      `Cannot undo: a later change of ${path} affects the same lines. Nothing was undone.`,
      {
        hint: "Undo the later change first (hearth brain log AGENT --path PATH), or all since a time.",
      },
    );
  };

  const hashOf = (bytes: Content): string | null => (bytes === undefined ? null : bodies.hashOf(bytes));

  /** Computes each file's content without these versions, from the newest version to the oldest. */
  const computeContents = async (
    rows: readonly VersionRow[],
    request: UndoBrain,
  ): Promise<ReadonlyMap<string, Content>> => {
    const contents = new Map<string, Content>();
    // To undo to a time, restore the content of that time.
    if ("since" in request) {
      const oldestHashes = new Map(rows.map((row) => [row.path, row.before]));
      for (const [path, before] of oldestHashes) contents.set(path, await bodies.readOf(before));
      return contents;
    }
    for (const row of rows) {
      const { path } = row;
      const current = contents.has(path) ? contents.get(path) : await bodies.readOf(files.get(path)?.hash ?? null);
      contents.set(path, await contentWithout(row, current));
    }
    return contents;
  };

  return {
    async log({ path, activation, limit }) {
      await live.serialize(live.scan);
      const where = {
        agent,
        ...(path === undefined ? {} : { path }),
        ...(activation === undefined ? {} : { activation }),
      };
      const changes = new Map<string, VersionRow[]>();
      for (let below = Number.MAX_SAFE_INTEGER; changes.size <= limit;) {
        const rows = await store.select({
          table: "brain_versions",
          where,
          and: [{ column: "place", is: "<", value: below }],
          order: [{ column: "place", descending: true }],
          limit: VERSIONS_PER_READ,
        });
        for (const row of rows) changes.set(row.change, [row, ...(changes.get(row.change) ?? [])]);
        if (rows.length < VERSIONS_PER_READ) break;
        below = rows.at(-1)?.place ?? 0;
      }
      return [...changes.values()].slice(0, limit).map(toChange);
    },

    async diff(change) {
      const rows = await rowsOf(change);
      return Promise.all(
        rows.map(async ({ path, before, after }) => {
          const texts = await Promise.all([bodies.readOf(before), bodies.readOf(after)]);
          const [oldText, newText] = texts.map((bytes) => (bytes === undefined ? "" : decodeText(bytes)));
          if (oldText === undefined || newText === undefined) return { path };
          return { path, diff: showDiff(splitLines(oldText), splitLines(newText)) };
        }),
      );
    },

    undo: (request, by) =>
      live.serialize(async () => {
        // Edits by hand since the last scan become a version, so they are not lost.
        await live.scan();
        const rows = await versionsToUndo(request);
        for (const path of new Set(rows.map((row) => row.path))) await live.refresh(path);
        const edits = [...(await computeContents(rows, request))].map(([path, after]): Edit => ({ path, after }));
        const erased = new Set(rows.filter((row) => row.erased === 1).map(({ path }) => path));
        const note = `undoes ${nameOf(request)}`;
        const { agent: person, activation, label } = by;
        const kind = "undo";
        const isApproved = activation === undefined;
        const change = await recorder.record({ kind, by: person, activation, label, note, erased, edits, isApproved });
        return { ...(change === undefined ? {} : { change: toChange(change) }), erased: [...erased].sort() };
      }),
  };
};

type Content = Uint8Array | undefined;

const encoder = new TextEncoder();

const nameOf = (request: UndoBrain): string => {
  if ("since" in request) return `everything since ${new Date(request.since).toISOString()}`;
  return "change" in request ? request.change : request.activation;
};

/** Combines all versions of one change. */
export const toChange = (rows: readonly VersionRow[]): BrainChange => {
  const [firstRow] = rows;
  if (firstRow === undefined) throw new TypeError("a change has a version");
  const { change, place, kind, at, by, activation, note } = firstRow;
  return {
    id: change,
    place,
    kind,
    at,
    ...(by === null ? {} : { by }),
    ...(activation === null ? {} : { activation }),
    ...(note === null ? {} : { note }),
    versions: rows.map(({ path, before, after, erased }) => ({
      path,
      ...(before === null ? {} : { before }),
      ...(after === null ? {} : { after }),
      isErased: erased === 1,
    })),
  };
};
