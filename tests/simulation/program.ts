/** Runs the simulation in a separate process, for tests. */
import { fileURLToPath } from "node:url";

export interface Report {
  readonly ok: boolean;
  readonly runs: number;
  readonly seconds: number;
  readonly unknown: { readonly calls: number; readonly deliveries: number };
  readonly failpoints: Readonly<Record<string, number>>;
  /** Failpoints that were reached too rarely. */
  readonly seldom: readonly (readonly [string, number])[];
  readonly failures: readonly {
    readonly name: string;
    readonly complaints: readonly string[];
    readonly lines: readonly string[];
  }[];
}

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

export const runProgram = async (flags: readonly string[]): Promise<Report> => {
  const child = Bun.spawn([process.execPath, "--no-install", MAIN, ...flags, "--json"], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  return JSON.parse(await child.stdout.text()) as Report;
};
