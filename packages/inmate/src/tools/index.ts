/** The tools that run in the cell: checks what a model wrote, runs it under a time limit, and always has an answer. */
import { type Clock, isHearthError } from "@hearth/protocol";
import {
  capOutput,
  findTool,
  type ToolDeclaration,
  type ToolName,
  tools,
  type ToolOutcome,
} from "@hearth/protocol/tools";
import { edit } from "./edit.ts";
import type { Files } from "./files.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { list } from "./list.ts";
import { read } from "./read.ts";
import { shell } from "./shell.ts";
import type { Spawn } from "./spawn.ts";
import { time } from "./time.ts";
import { failed, type RunTool } from "./tool.ts";
import { write } from "./write.ts";

export interface ToolsOptions {
  readonly files: Files;
  readonly spawn: Spawn;
  readonly clock: Clock;
  /** Absolute path of the root of `files`. */
  readonly workspace: string;
}

export interface Tools {
  /** Never throws: what goes wrong is a failed outcome, in words for the model. `input` is what the model wrote. */
  run(name: string, input: unknown, signal: AbortSignal, timeoutMs: number): Promise<ToolOutcome>;
}

const runs: { readonly [Name in ToolName]: RunTool<Name> } = { read, write, edit, list, glob, grep, shell, time };

/** A tool that is told to stop has this long to clean up; then it is left to itself. */
const GRACE_MS = 5000;

export const createTools = (options: ToolsOptions): Tools => ({
  async run(name, input, signal, timeoutMs) {
    const tool = findTool(tools, name);
    if (tool === undefined) return failed(`There is no tool ${JSON.stringify(name)}.`);
    const given = withoutNulls(input);
    const parsed = tool.input.safeParse(given);
    if (!parsed.success) return failed(describeIssues(tool, given, parsed.error.issues));
    if (signal.aborted) return failed("Stopped.");
    const limit = createLimit(options.clock, signal, timeoutMs);
    // The schema of this very tool has just said that the input fits.
    const runTool = runs[tool.name as ToolName] as RunTool<ToolName>;
    const work = runTool(parsed.data as never, { ...options, signal: limit.signal, timeoutMs }).catch(toFailure);
    try {
      const outcome = await Promise.race([work, limit.passed]);
      if (outcome === undefined)
        return failed(signal.aborted ? "Stopped." : `${tool.name} took longer than ${timeoutMs / 1000} s.`);
      return { text: capOutput(outcome.text), failed: outcome.failed };
    } finally {
      limit.end();
    }
  },
});

interface Limit {
  /** Aborts when the caller does, or when the time is up. */
  readonly signal: AbortSignal;
  /** Resolves when the tool did not make use of its grace. */
  readonly passed: Promise<undefined>;
  end(): void;
}

const createLimit = (clock: Clock, stop: AbortSignal, timeoutMs: number): Limit => {
  const timeout = new AbortController();
  const over = new AbortController();
  const signal = AbortSignal.any([stop, timeout.signal]);
  void clock.sleep(timeoutMs, over.signal).then(() => timeout.abort());
  const passed = whenAborted(signal).then(async (): Promise<undefined> => {
    await clock.sleep(GRACE_MS, over.signal);
  });
  return { signal, passed, end: () => over.abort() };
};

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

const toFailure = (error: unknown): ToolOutcome => {
  if (!isHearthError(error)) return failed("The tool broke. This is not your fault; another way may work.");
  return failed(error.hint === undefined ? error.message : `${error.message} ${error.hint}`);
};

/** Some models send `null` for what they leave out. */
const withoutNulls = (input: unknown): unknown =>
  typeof input === "object" && input !== null && !Array.isArray(input)
    ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
    : input;

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}

const describeIssues = (tool: ToolDeclaration, given: unknown, issues: readonly Issue[]): string => {
  const fields: ReadonlySet<PropertyKey> = new Set(
    typeof given === "object" && given !== null ? Object.keys(given) : [],
  );
  const said = issues.map((issue) => {
    const field = issue.path[0];
    if (issue.keys !== undefined) return `there is no field ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`;
    if (field === undefined) return issue.message;
    return fields.has(field) ? `"${String(field)}": ${issue.message}` : `"${String(field)}" is missing`;
  });
  return `${tool.name} cannot be called so: ${said.join("; ")}. Its fields: ${Object.keys(tool.input.shape).join(", ")}.`;
};
