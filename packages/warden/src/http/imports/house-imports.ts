/** Imports agents of other programs into the running house: previews, one import at a time, and its report. */
import {
  type AgentId,
  type ErrorCode,
  HearthError,
  type ImportKind,
  type ImportPart,
  type ImportPlace,
  type ImportPreview,
  type ImportState,
} from "@hearth/protocol";
import { type Kernel, observe } from "../../kernel/index.ts";
import { type Item, type ListedItem, placeOf } from "./plan.ts";
import { type PartComparison, compareParts, type ImportTarget, isOpen, notChosen, takeOver } from "./take-over.ts";

/**
 * Reads folders of other programs on the machine of the house.
 *
 * Contract, checked by its tests:
 * - the folder is absolute, exists, and neither contains the home nor is inside it
 * - no link below the folder is followed, and nothing in the folder is changed
 * - `read` calls `use` after the whole folder was read, so a failure of reading imports nothing
 * - failures are `import.failed`
 */
export interface SourceFolders {
  /** The known folders of other programs that exist. */
  places(): Promise<readonly ImportPlace[]>;
  /** Lists the parts of a folder. */
  list(source: ImportPlace): Promise<readonly ListedItem[]>;
  /** Reads the parts that have these places, as `placeOf` returns them. */
  read(
    source: ImportPlace,
    places: readonly string[],
    use: (items: AsyncIterable<Item>) => Promise<void>,
  ): Promise<void>;
}

export interface ImportRequest {
  readonly kind: ImportKind;
  readonly folder: string;
  readonly agent: AgentId;
  readonly by: AgentId;
}

export interface Imports {
  state(): Promise<ImportState>;
  /** Replaces the last preview. Throws `import.busy` and `import.failed`. */
  preview(request: ImportRequest, target: ImportTarget): Promise<ImportPreview>;
  /** Returns the agent of this caller's last preview. Throws `import.busy` and `import.not-found`. */
  agentOf(preview: string, by: AgentId): AgentId;
  /** Begins to import parts of a preview. Throws `import.busy` and `import.not-found`. */
  begin(preview: string, parts: readonly number[], by: AgentId, target: ImportTarget): Promise<ImportState>;
}

export interface ImportsOptions {
  readonly kernel: Pick<Kernel, "world" | "log">;
  /** Throws `import.failed` in a house without a home folder. */
  readonly folders: () => Promise<SourceFolders>;
}

interface StoredPreview {
  readonly id: string;
  readonly request: ImportRequest;
  readonly comparisons: readonly PartComparison[];
}

export const createImports = ({ kernel: { world, log }, folders }: ImportsOptions): Imports => {
  let lastPreview: StoredPreview | undefined;
  let state: Omit<ImportState, "places"> = { state: "none" };
  let isReading = false;

  const readState = async (): Promise<ImportState> => ({ ...state, places: [...(await (await folders()).places())] });

  const findPreview = (id: string, by: AgentId): StoredPreview => {
    if (lastPreview?.id === id && lastPreview.request.by === by) return lastPreview;
    throw importError("import.not-found", "The house no longer has this preview.", "Look into the folder again.");
  };

  const requireIdle = (): void => {
    if (isReading || state.state === "running")
      throw importError("import.busy", "Another import is in progress.", "Wait until it ends, then try again.");
  };

  const run = async (
    preview: StoredPreview,
    chosenIndexes: ReadonlySet<number>,
    target: ImportTarget,
  ): Promise<void> => {
    const { comparisons, request } = preview;
    const source = { kind: request.kind, folder: request.folder };
    const importFacts = { source, agent: request.agent, total: chosenIndexes.size };
    const finishedParts = new Map<number, PartComparison>();
    state = { state: "running", ...importFacts, done: 0 };
    log.write("info", "an import of another program's agent began", { kind: source.kind, by: request.by });
    try {
      const places = [...chosenIndexes].flatMap((index) => placeOf(comparisons[index]?.item ?? NOTHING) ?? []);
      await (
        await folders()
      ).read(source, places, async (items) => {
        const outcome = await takeOver({
          target,
          compared: comparisons,
          items,
          isChosen: (index) => chosenIndexes.has(index),
          onDone(index, comparison) {
            finishedParts.set(index, comparison);
            state = { state: "running", ...importFacts, done: finishedParts.size };
          },
        });
        state = { state: "done", ...importFacts, done: finishedParts.size, parts: outcome.map(toPart) };
      });
      log.write("info", "an import of another program's agent is complete", {
        kind: source.kind,
        parts: finishedParts.size,
      });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      const parts = comparisons.map((comparison, index) =>
        toPart(finishedParts.get(index) ?? toUnreached(comparison, chosenIndexes.has(index))),
      );
      state = { state: "failed", ...importFacts, done: finishedParts.size, parts, problem };
      log.write("error", "an import of another program's agent failed", { kind: source.kind, error });
    }
  };

  return {
    state: readState,

    async preview(request, target) {
      requireIdle();
      isReading = true;
      try {
        const { kind, folder, agent } = request;
        const items = await (await folders()).list({ kind, folder });
        const comparisons = await compareParts(target, items);
        const id = world.random(16).toHex();
        lastPreview = { id, request, comparisons };
        return { id, kind, folder, agent, parts: comparisons.map(toPart) };
      } finally {
        isReading = false;
      }
    },

    agentOf(id, by) {
      requireIdle();
      return findPreview(id, by).request.agent;
    },

    async begin(id, parts, by, target) {
      requireIdle();
      const preview = findPreview(id, by);
      const chosenIds = new Set(
        parts.filter((index) =>
          preview.comparisons.some((comparison, position) => position === index && isOpen(comparison)),
        ),
      );
      if (chosenIds.size === 0)
        throw importError(
          "import.not-found",
          "None of the chosen parts can be imported.",
          "Choose a new or changed part.",
        );
      // One use: what a second import would do differs from this preview.
      lastPreview = undefined;
      observe(run(preview, chosenIds, target), log, "an import ended without a report");
      return readState();
    },
  };
};

const NOTHING: ListedItem = { kind: "left", from: "", why: "" };

const toUnreached = (comparison: PartComparison, isChosen: boolean): PartComparison => {
  if (!isOpen(comparison)) return comparison;
  return isChosen
    ? { item: comparison.item, fate: "left", why: "The import ended before this part." }
    : notChosen(comparison);
};

const importError = (code: ErrorCode, message: string, hint: string): HearthError =>
  new HearthError(code, message, { hint });

/** Describes a part for people. */
export const toPart = ({ item, fate, why }: PartComparison): ImportPart => {
  const change = item.kind === "file" ? item.change : undefined;
  const reason = why ?? change;
  return {
    kind: item.kind,
    from: item.from,
    ...(item.kind === "left" ? {} : { to: item.kind === "file" ? item.to : item.name }),
    fate,
    ...(reason === undefined ? {} : { why: reason }),
    ...("hidesSecrets" in item && item.hidesSecrets === true ? { hidesSecrets: true as const } : {}),
  };
};
