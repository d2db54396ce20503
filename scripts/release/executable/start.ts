/**
 * The start of the executable. It unpacks the programs once, into the user's cache, and becomes the
 * command. Called with the runtime's options, as Hearth starts its processes, it becomes the runtime.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { replaceProcess } from "./become.ts";
import { isRuntimeCall, unpackOnce } from "./unpack.ts";

declare const HEARTH_VERSION: string;
/** A key that changes with the programs. */
declare const HEARTH_KEY: string;

const words = process.argv.slice(2);

/** The settings of the launcher in the checkout, `hearth`. */
const TUNING = {
  BUN_JSC_useFTLJIT: "0",
  BUN_JSC_thresholdForOptimizeSoon: "100",
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "100",
  BUN_JSC_thresholdForOptimizeAfterLongWarmUp: "100",
};

/** Replaces this process, so that signals and the exit code are those of the program. */
const become = (args: readonly string[], more: Readonly<Record<string, string>> = {}): never => {
  return replaceProcess(process.execPath, args, Object.assign({}, process.env, more, { BUN_BE_BUN: "1" }));
};

const start = async (archive: string): Promise<void> => {
  if (isRuntimeCall(words)) return become(words);
  if (words[0] === "--version") {
    console.log(`hearth ${HEARTH_VERSION}`);
    return;
  }
  const named = process.env["XDG_CACHE_HOME"];
  const cache = named !== undefined && isAbsolute(named) ? named : join(homedir(), ".cache");
  const folder = await unpackOnce({ cache: join(cache, "hearth"), key: HEARTH_KEY, archive: Bun.file(archive) });
  keepLauncher(join(folder, "hearth"));
  const from = process.cwd();
  process.chdir(folder);
  const main = join(folder, "packages/cli/src/main.ts");
  become(["--no-install", "--no-env-file", main, ...words], {
    ...TUNING,
    HEARTH_CWD: from,
    HEARTH_EXECUTABLE: process.execPath,
    BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(folder, "node_modules/.bun"),
  });
};

/** `hearth onboard` starts the house by this file, as by the launcher of a checkout. */
const keepLauncher = (path: string): void => {
  const text = `#!/bin/sh\nexec '${process.execPath.replaceAll("'", String.raw`'\''`)}' "$@"\n`;
  try {
    if (readFileSync(path, "utf8") === text) return;
  } catch {
    // The file does not exist before the first start.
  }
  try {
    writeFileSync(path, text, { mode: 0o755 });
  } catch {
    // In a read-only folder, the launcher of the first start stays.
  }
};

/** `archive` is the path of the programs inside of the executable. */
export const startExecutable = (archive: string): void => {
  start(archive).catch((error: unknown) => {
    console.error(`Hearth: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(13);
  });
};
