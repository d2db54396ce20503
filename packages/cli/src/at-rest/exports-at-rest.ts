/** Exports and imports homes, also those of other agents, through the warden's own code. */
import { resolve } from "node:path";
import type { OnProgress } from "@hearth/warden/bun";
import type { Context } from "../command.ts";
import { safeLine } from "../show/safe-text.ts";
import { requireLocal } from "./require-local.ts";

export type { Compared, ExportReport, ImportReport, ImportTarget } from "@hearth/warden/bun";

export const loadExports = async () => (await import("@hearth/warden/bun")).openExports();

export const loadTakeOver = async () => (await import("@hearth/warden/bun")).openTakeOver();

/** Returns the absolute path of a folder. Throws `UsageError` for a house on another machine. */
export const resolveLocalFolder = (path: string, context: Pick<Context, "elsewhere" | "terminal">): string => {
  requireLocal(context);
  return resolve(context.terminal.cwd, path);
};

const PROGRESS_INTERVAL_MS = 1000;

/** Shows progress at most once per second, and only at a terminal. */
export const showProgress = ({ terminal, output }: Pick<Context, "terminal" | "output">): OnProgress => {
  let nextAt = 0;
  return ({ what: stage, done: doneCount, total }) => {
    if (!terminal.stderrIsTerminal || terminal.now() < nextAt) return;
    nextAt = terminal.now() + PROGRESS_INTERVAL_MS;
    const count = doneCount === undefined ? "" : total === undefined ? ` ${doneCount}` : ` ${doneCount} of ${total}`;
    output.note(`${safeLine(stage)}${count} ...`);
  };
};
