/** Examines the storage of a home in another process, so that the daemon is not blocked. */
import { fileURLToPath } from "node:url";
import { type Check, HearthError } from "@hearth/protocol";
import { CheckList, StorageReport, UpdateReport } from "@hearth/protocol/api";
import type { MeasureOptions } from "./measure.ts";

export const examineInProcess = async (
  home: string,
  { quick = false, signal }: { readonly quick?: boolean; readonly signal?: AbortSignal } = {},
): Promise<readonly Check[]> => CheckList.parse(await run(home, { kind: quick ? "quick" : "deep" }, signal));

export const measureInProcess = async (home: string, options: MeasureOptions): Promise<StorageReport> =>
  StorageReport.parse(await run(home, { kind: "measure", options }));

/** Plans the next update with the installed version, which may be newer than this one. */
export const planUpdateInProcess = async (home: string): Promise<Omit<UpdateReport, "running">> =>
  UpdateReport.omit({ running: true }).parse(await run(home, { kind: "update" }));

/** The work of the process. */
export type Examination =
  | { readonly kind: "quick" | "deep" | "update" }
  | { readonly kind: "measure"; readonly options: MeasureOptions };

const run = async (home: string, examination: Examination, signal?: AbortSignal): Promise<unknown> => {
  const entry = fileURLToPath(new URL("examine-process.ts", import.meta.url));
  const child = Bun.spawn(
    [process.execPath, "--no-install", "--no-env-file", entry, home, JSON.stringify(examination)],
    {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      env: {},
      ...(signal === undefined ? {} : { signal }),
    },
  );
  const [text, problem, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code === 0) return JSON.parse(text);
  throw new HearthError("store.unavailable", `The storage check ended with exit code ${code}: ${problem.slice(-500)}`, {
    hint: "Stop the house and check it again: hearth doctor --deep",
  });
};
