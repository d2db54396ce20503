/**
 * Removes a forgotten source from the records of turns: inputs, call results and approval requests.
 */
import {
  readLabel,
  writeLabel,
  packBody,
  unpackBody,
  type Blobs,
  type TextBlobCache,
  type Store,
  type Write,
  type Row,
  writeJson,
} from "../../../kernel/index.ts";
import { findTool, tools } from "@hearth/protocol/tools";
import { readFrozenText, hashesIn, pagesBy } from "../../../kernel/lazy.ts";
import { type ForgetTarget, textsIn } from "../../memory/forget-target.ts";
import { type Frozen, readFrozen } from "../frozen.ts";

export interface TurnTraces {
  /**
   * Returns the turns known to have read the source, and the texts of the source that their calls
   * returned. Omits results of brain lookups, because the brain still holds the text.
   */
  read(target: ForgetTarget): Promise<{ readonly turns: ReadonlySet<string>; readonly said: readonly string[] }>;
  /**
   * Erases the records. `endedSummaries` holds the hashes of the ended summaries. Returns the
   * hashes of blobs that the caller may delete.
   */
  erase(
    target: ForgetTarget,
    endedSummaries: ReadonlySet<string>,
  ): Promise<{ readonly steps: number; readonly turns: ReadonlySet<string>; readonly blobs: readonly string[] }>;
  /** Erases the whole input and all results of an ended turn. Returns the hashes of their blobs. */
  eraseAll(row: Row<"activations">): Promise<readonly string[]>;
}

interface TurnInput {
  readonly row: Row<"activations">;
  readonly text: string | undefined;
}

const TURNS_PER_PAGE = 500;
/** The columns of an approval whose texts are erased, with their new values. */
const FORGOTTEN_APPROVAL = {
  input: "{}",
  bound: "{}",
  display: "It was forgotten.",
  asks: writeJson([]),
  offers: writeJson([]),
  reason: null,
};

export const createTurnTraces = (options: {
  readonly store: Pick<Store, "select" | "commit">;
  readonly blobs: Blobs;
  readonly texts: TextBlobCache;
}): TurnTraces => {
  const { store, blobs, texts } = options;

  const readOutput = async ({ output: inline, output_blob: blob }: Row<"steps">): Promise<string | undefined> =>
    inline === null && blob === null ? undefined : unpackBody(blobs, { inline, blob }).catch(() => undefined);

  const quotesIn = createQuoteSearch(readOutput);

  /**
   * Returns the steps whose results are erased. If the turn read the message, all its model output
   * may derive from it.
   */
  const findStepsToErase = async ({ row, text }: TurnInput, target: ForgetTarget): Promise<readonly Row<"steps">[]> => {
    const steps = await store.select({ table: "steps", where: { activation: row.id } });
    // Requests and replies after the read may derive from it.
    const isWhole =
      target.turns.has(row.id) ||
      (text !== undefined && hasRead(target, row, text)) ||
      steps.some((step) => isLabelled(target, step)) ||
      (await quotesIn(steps, target)).length > 0;
    const findStepsToErase: Row<"steps">[] = [];
    for (const step of steps) {
      const output = await readOutput(step);
      if (output === undefined) continue;
      if (isWhole || target.occursIn(output)) findStepsToErase.push(step);
    }
    return findStepsToErase;
  };

  /** Erases parts of a turn's input. An unfinished turn resumes after a crash with the remaining parts. */
  const eraseInputParts = async (
    { row, text }: TurnInput,
    target: ForgetTarget,
    endedSummaries: ReadonlySet<string>,
    { read, matches }: ReturnType<typeof createPartSearch>,
  ): Promise<readonly string[]> => {
    if (text === undefined) return [];
    const frozen = readFrozen(text, { startedAt: row.started_at ?? row.created_at });
    const parts: Frozen["parts"] = [];
    for (const part of frozen.parts) {
      if (!(await matches(part))) {
        parts.push(part);
        continue;
      }
      const lines = (await read(part.hash))?.split("\n").filter((line) => !target.occursIn(line));
      if (lines !== undefined) parts.push({ ...part, hash: await texts.put(lines.join("\n")) });
    }
    const { summary, unfinished, ...otherFields } = frozen;
    const hasSummaryEnded = summary !== undefined && endedSummaries.has(summary.hash);
    // The actions of earlier turns are one text, which is erased as a whole.
    const isUnfinishedMeant = unfinished !== undefined && (await matches({ name: "", place: "late", ...unfinished }));
    const remaining: Frozen = {
      ...otherFields,
      parts,
      ...(summary === undefined || hasSummaryEnded ? {} : { summary }),
      ...(unfinished === undefined || isUnfinishedMeant ? {} : { unfinished }),
    };
    const { inline, blob } = await packBody(blobs, JSON.stringify(remaining));
    await store.commit({
      guards: [{ kind: "exists", table: "activations", where: { id: row.id, ended_at: null } }],
      writes: [
        { kind: "update", table: "activations", where: { id: row.id }, set: { frozen: inline, frozen_blob: blob } },
      ],
    });
    const stillReferenced = new Set(hashesIn(JSON.stringify(remaining)));
    return [...hashesIn(text), ...(row.frozen_blob === null ? [] : [row.frozen_blob])].filter(
      (hash) => !stillReferenced.has(hash),
    );
  };

  /** Returns the writes that remove the approval requests for these calls. */
  const planApprovalErasure = async (activation: string): Promise<readonly Write[]> =>
    (await store.select({ table: "approvals", where: { activation } })).map(
      ({ id }) => ({ kind: "update", table: "approvals", where: { id }, set: FORGOTTEN_APPROVAL }) as const,
    );

  const eraseEnded = async (
    input: TurnInput,
    target: ForgetTarget,
    { matches }: ReturnType<typeof createPartSearch>,
  ): Promise<{ readonly steps: number; readonly blobs: readonly string[]; readonly isTouched: boolean }> => {
    const { row, text } = input;
    const steps = await findStepsToErase(input, target);
    let isFound = steps.length > 0 || target.turns.has(row.id) || (text !== undefined && target.occursIn(text));
    if (!isFound && text !== undefined) {
      const { parts, unfinished } = readFrozen(text, { startedAt: row.started_at ?? row.created_at });
      const candidates =
        unfinished === undefined ? parts : [...parts, { ...unfinished, name: "", place: "late" as const }];
      for (const part of candidates) isFound ||= await matches(part);
    }
    if (!isFound) return { steps: 0, blobs: [], isTouched: false };
    const droppedApprovals = steps.length > 0 || target.turns.has(row.id) ? await planApprovalErasure(row.id) : [];
    await store.commit({
      writes: [...steps.map(dropOutput), ...(text === undefined ? [] : dropInput(row.id)), ...droppedApprovals],
    });
    const outputs = steps.flatMap(({ output_blob: blob }) => blob ?? []);
    return {
      steps: steps.length,
      blobs: [...hashesOf(input), ...outputs],
      isTouched: droppedApprovals.length > 0 || steps.length > 0,
    };
  };

  const readTurnInputs = async function* (agent: string): AsyncGenerator<TurnInput> {
    const pages = pagesBy(store, {
      table: "activations",
      where: { agent },
      column: "created_at",
      size: TURNS_PER_PAGE,
      idOf: ({ id }) => id,
    });
    for await (const rows of pages) for (const row of rows) yield { row, text: await readFrozenText(blobs, row) };
  };

  return {
    async read(target) {
      const turns = new Set<string>();
      const said: string[] = [];
      for await (const { row, text } of readTurnInputs(target.agent.id)) {
        if (text !== undefined && hasRead(target, row, text)) turns.add(row.id);
        const steps = await store.select({ table: "steps", where: { activation: row.id } });
        const quotes = await quotesIn(steps, target);
        said.push(...quotes);
        if (quotes.length > 0) turns.add(row.id);
        for (const step of steps) {
          if (!isLabelled(target, step)) continue;
          turns.add(row.id);
          const output = findTool(tools, step.name)?.returnsBrainText ? undefined : await readOutput(step);
          if (output !== undefined) said.push(...textsIn(output));
        }
      }
      return { turns, said };
    },

    async erase(target, endedSummaries) {
      const search = createPartSearch(blobs, target);
      const turns = new Set(target.turns);
      const hashes: string[] = [];
      let steps = 0;
      for await (const input of readTurnInputs(target.agent.id)) {
        if (input.row.ended_at === null) {
          hashes.push(...(await eraseInputParts(input, target, endedSummaries, search)));
          continue;
        }
        const result = await eraseEnded(input, target, search);
        steps += result.steps;
        hashes.push(...result.blobs);
        if (result.isTouched) turns.add(input.row.id);
      }
      return { steps, turns, blobs: hashes };
    },

    async eraseAll(row) {
      const input: TurnInput = { row, text: await readFrozenText(blobs, row) };
      const steps = await store.select({ table: "steps", where: { activation: row.id } });
      await store.commit({
        writes: [...steps.map(dropOutput), ...dropInput(row.id), ...(await planApprovalErasure(row.id))],
      });
      return [...hashesOf(input), ...steps.flatMap(({ output_blob: blob }) => blob ?? [])];
    },
  };
};

/** Returns what memory lookups quoted of the message and its files. Each quote follows the message's id. */
const createQuoteSearch =
  (outputOf: (step: Row<"steps">) => Promise<string | undefined>) =>
  async (steps: readonly Row<"steps">[], { message }: ForgetTarget): Promise<readonly string[]> => {
    if (message === undefined) return [];
    const quotes: string[] = [];
    for (const step of steps) {
      if (findTool(tools, step.name)?.returnsBrainText !== true) continue;
      for (const block of textsIn((await outputOf(step)) ?? "").flatMap((text) => text.split("\n\n"))) {
        const [place = "", ...lines] = block.split("\n");
        if (place.includes(message.id)) quotes.push(lines.join("\n"));
      }
    }
    return quotes;
  };

/**
 * Matches parts that contain the text or come from a file with the text, and parts whose file is
 * missing.
 */
const createPartSearch = (blobs: Blobs, target: ForgetTarget) => {
  const textsByHash = new Map<string, Promise<string | undefined>>();
  const read = (hash: string): Promise<string | undefined> => {
    const text = textsByHash.get(hash) ?? blobs.get(hash).then((bytes) => bytes && new TextDecoder().decode(bytes));
    textsByHash.set(hash, text);
    return text;
  };
  const matches = async ({ name, hash }: Frozen["parts"][number]): Promise<boolean> => {
    if (target.files.has(name)) return true;
    const text = await read(hash);
    return text === undefined || target.occursIn(text);
  };
  return { read, matches };
};

const dropOutput = ({ activation, step, labels }: Row<"steps">): Write => {
  // The label keeps its integrity and loses its sources.
  const label = readLabel(labels);
  const set = { output: null, output_blob: null, labels: writeLabel(label && { ...label, sources: [] }) };
  return { kind: "update", table: "steps", where: { activation, step }, set };
};

const dropInput = (id: string): readonly Write[] => [
  { kind: "update", table: "activations", where: { id }, set: { frozen: null, frozen_blob: null } },
];

const hashesOf = ({ row, text }: TurnInput): readonly string[] => [
  ...hashesIn(text ?? ""),
  ...(row.frozen_blob === null ? [] : [row.frozen_blob]),
];

const isLabelled = ({ isSource }: ForgetTarget, { labels }: Row<"steps">): boolean =>
  (readLabel(labels)?.sources ?? []).some(isSource);

/** Whether the turn's input contained the message, directly or in a summary. */
const hasRead = ({ message }: ForgetTarget, row: Row<"activations">, text: string): boolean => {
  if (message === undefined || message.room !== row.room || row.parent !== null) return false;
  const { range, summary } = readFrozen(text, { startedAt: row.started_at ?? row.created_at });
  return (summary === undefined ? range.start : 0) < message.offset && message.offset <= range.head;
};
