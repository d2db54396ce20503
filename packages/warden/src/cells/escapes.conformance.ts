/**
 * Runs the escape table: each attempt first without walls, to prove that it works, and then in the
 * cells that report the wall.
 */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CellLimits, DEFAULT_CELL_LIMITS } from "@hearth/protocol";
import {
  carryPerl,
  createCellSurroundings,
  type Escape,
  escapes,
  programsOf,
  rarePrograms,
  type Surroundings,
} from "@hearth/testing/cells";
import { createCellBrain } from "../fixtures/cell-brain.ts";
import { createCellShell } from "../fixtures/cell-shell.ts";
import { CELL_BRAIN, CELL_WORKSPACE, type CellBackend } from "./backend.ts";
import { type Machine, machines } from "./system-calls.ts";

export interface EscapeResults {
  /** The names of the attempts that got through. */
  readonly reached: ReadonlySet<string>;
  /** The output of each attempt. An attempt that did not run to its end is missing. */
  readonly outputs: ReadonlyMap<string, string>;
  /** Programs that the cell lacks. Attempts that need such a program did not run. */
  readonly missingPrograms: ReadonlySet<string>;
}

export interface EscapesOptions {
  readonly backend: CellBackend;
  readonly machine: Machine;
  /** Whether cells see the brain at a separate path or at the host's path. */
  readonly brainAt: "own" | "host";
  /**
   * Which programs and clock the cells use: the host's, or those of their own machine. A perl is
   * copied into such a machine.
   */
  readonly world: "host" | "machine";
}

/**
 * Runs all attempts. Each attempt with limits gets a separate cell, because it may end the cell,
 * and a cell's limits never change.
 */
export const tryEscapes = async (options: EscapesOptions): Promise<EscapeResults> => {
  await using surroundings = await createCellSurroundings();
  const unlimitedEscapes = escapes.filter(({ limits }) => limits === undefined);
  const limitedRuns = escapes.flatMap((escape) =>
    escape.limits === undefined || whyNot(escape, options) !== undefined
      ? []
      : [{ attempts: [escape], limits: escape.limits }],
  );
  const outputs = new Map<string, string>();
  const missingPrograms = new Set<string>();
  for (const { attempts, limits } of [{ attempts: unlimitedEscapes, limits: DEFAULT_CELL_LIMITS }, ...limitedRuns]) {
    const results = await tryIn(options, attempts, limits, surroundings.names);
    for (const [name, output] of results.outputs) outputs.set(name, output);
    for (const name of results.missingPrograms) missingPrograms.add(name);
  }
  const reached = [...outputs].filter(([, output]) => /^REACHED$/m.test(output)).map(([name]) => name);
  return { outputs, missingPrograms, reached: new Set(reached) };
};

/** Number of attempts for which one shell command has time on an emulated processor. */
const ATTEMPTS_PER_COMMAND = 12;
/** The last line of an attempt's output, if it ran to its end. */
const END_MARK = "ended";

const tryIn = async (
  { backend, machine, brainAt, world }: EscapesOptions,
  attempts: readonly Escape[],
  limits: CellLimits,
  names: Omit<Surroundings, "BRAIN">,
): Promise<Omit<EscapeResults, "reached">> => {
  using home = createCellBrain({ limits });
  const { spec, workspace } = home;
  const perlVariables = world === "host" ? {} : carryPerl(join(workspace, "brought"), `${CELL_WORKSPACE}/brought`);
  const surroundings: Surroundings = { ...names, BRAIN: brainAt === "own" ? CELL_BRAIN : home.brain };
  const variables = Object.entries({ ...surroundings, ...perlVariables });
  const lines = variables.map(([name, value]) => `export ${name}='${value}'\n`);
  writeFileSync(join(workspace, "surroundings"), lines.join(""));
  attempts.forEach((escape, index) => writeFileSync(join(workspace, `try-${index}`), scriptOf(escape, machine)));
  const read = (name: string): Promise<string> =>
    Bun.file(join(workspace, name))
      .text()
      .catch(() => "");

  const cell = await backend.open(spec);
  try {
    const shell = await createCellShell(cell, spec.agent);
    const begin = "export INMATE=$PPID; . ./surroundings";
    await shell.run(
      `${begin}; for each in ${rarePrograms.join(" ")}; do $each --version >/dev/null 2>&1 || echo $each; done >lacking`,
    );
    for (let first = 0; first < attempts.length; first += ATTEMPTS_PER_COMMAND) {
      const indexes = attempts.slice(first, first + ATTEMPTS_PER_COMMAND).map((_, index) => first + index);
      await shell.run(`${begin}
for each in ${indexes.join(" ")}; do timeout 10 sh ./try-$each >said-$each 2>&1; echo ${END_MARK} >>said-$each; done`);
    }
  } catch (error) {
    // A limit may end the cell, which reports that and reaches nothing.
    if (limits === DEFAULT_CELL_LIMITS) throw error;
  } finally {
    await cell.close();
  }
  const outputs = new Map<string, string>();
  for (const [index, { name }] of attempts.entries()) {
    const text = await read(`said-${index}`);
    if (text.endsWith(`${END_MARK}\n`) || limits !== DEFAULT_CELL_LIMITS) outputs.set(name, text);
  }
  return { outputs, missingPrograms: new Set((await read("lacking")).split("\n").filter(Boolean)) };
};

const scriptOf = ({ script, calls = [] }: Escape, machine: Machine): string => {
  const numbers = calls.map((call) => `export nr_${call}=${machines[machine].calls[call] ?? -1}\n`);
  return `${numbers.join("")}${script}\n`;
};

/** Returns the reason why the attempt is meaningless in such a cell, if it is. */
const whyNot = ({ isTimed }: Escape, { world }: EscapesOptions): string | undefined =>
  isTimed === true && world === "machine"
    ? "a machine's own clock says nothing of it: it is timed from outside"
    : undefined;

/** Defines the tests of the escape table. `open` has the results of the same attempts without walls. */
export const escapesConformance = async (options: EscapesOptions, open: Promise<EscapeResults>): Promise<void> => {
  const { backend } = options;
  const { ok, walls, why } = await backend.probe();
  if (!ok) return test.skip(`${backend.kind}: ${why}`, () => {});
  const [results, openResults] = await Promise.all([tryEscapes(options), open]);
  describe(`${backend.kind}, D7: out of a cell`, () => {
    for (const escape of escapes) {
      const { name, wall } = escape;
      const title = `${wall}: ${name}`;
      const missingProgram = programsOf(escape).find((program) => results.missingPrograms.has(program));
      const skipped =
        (walls.has(wall) ? undefined : "this wall does not stand here") ??
        (openResults.reached.has(name) ? undefined : "fails on this machine without a wall, too") ??
        (missingProgram === undefined ? undefined : `its image has no ${missingProgram}`) ??
        whyNot(escape, options);
      if (skipped !== undefined) test.skip(`${title} (${skipped})`, () => {});
      else
        test(`${title} is not reached`, () => {
          const output = results.outputs.get(name);
          expect({ reached: results.reached.has(name), output: output ?? "not tried" }).toEqual({
            ...{ reached: false, output: output ?? "tried" },
          });
        });
    }
  });
};
