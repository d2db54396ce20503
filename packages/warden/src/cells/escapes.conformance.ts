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
  /** Programs that the cell lacks. Attempts that need one did not run. */
  readonly missingPrograms: ReadonlySet<string>;
}

export interface EscapesOptions {
  readonly backend: CellBackend;
  readonly machine: Machine;
  /** Where cells see the brain: at a separate path, or at the host's. */
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
  const together = escapes.filter(({ limits }) => limits === undefined);
  const alone = escapes.flatMap((escape) =>
    escape.limits === undefined || whyNot(escape, options) !== undefined
      ? []
      : [{ all: [escape], limits: escape.limits }],
  );
  const outputs = new Map<string, string>();
  const missingPrograms = new Set<string>();
  for (const { all, limits } of [{ all: together, limits: DEFAULT_CELL_LIMITS }, ...alone]) {
    const tried = await tryIn(options, all, limits, surroundings.names);
    for (const [name, words] of tried.outputs) outputs.set(name, words);
    for (const name of tried.missingPrograms) missingPrograms.add(name);
  }
  const reached = [...outputs].filter(([, words]) => /^REACHED$/m.test(words)).map(([name]) => name);
  return { outputs, missingPrograms, reached: new Set(reached) };
};

/** How many attempts one shell command has time for, when the processor is emulated. */
const TOGETHER = 12;
/** The last line of an attempt's output, if it ran to its end. */
const ENDED = "ended";

const tryIn = async (
  { backend, machine, brainAt, world }: EscapesOptions,
  all: readonly Escape[],
  limits: CellLimits,
  names: Omit<Surroundings, "BRAIN">,
): Promise<Omit<EscapeResults, "reached">> => {
  using home = createCellBrain({ limits });
  const { spec, workspace } = home;
  const brought = world === "host" ? {} : carryPerl(join(workspace, "brought"), `${CELL_WORKSPACE}/brought`);
  const surroundings: Surroundings = { ...names, BRAIN: brainAt === "own" ? CELL_BRAIN : home.brain };
  const lines = Object.entries({ ...surroundings, ...brought }).map(([name, value]) => `export ${name}='${value}'\n`);
  writeFileSync(join(workspace, "surroundings"), lines.join(""));
  all.forEach((escape, index) => writeFileSync(join(workspace, `try-${index}`), scriptOf(escape, machine)));
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
    for (let first = 0; first < all.length; first += TOGETHER) {
      const some = all.slice(first, first + TOGETHER).map((_, index) => first + index);
      await shell.run(`${begin}
for each in ${some.join(" ")}; do timeout 10 sh ./try-$each >said-$each 2>&1; echo ${ENDED} >>said-$each; done`);
    }
  } catch (error) {
    // A limit may end the cell, which reports that and reaches nothing.
    if (limits === DEFAULT_CELL_LIMITS) throw error;
  } finally {
    await cell.close();
  }
  const outputs = new Map<string, string>();
  for (const [index, { name }] of all.entries()) {
    const text = await read(`said-${index}`);
    if (text.endsWith(`${ENDED}\n`) || limits !== DEFAULT_CELL_LIMITS) outputs.set(name, text);
  }
  return { outputs, missingPrograms: new Set((await read("lacking")).split("\n").filter(Boolean)) };
};

const scriptOf = ({ script, calls = [] }: Escape, machine: Machine): string => {
  const numbers = calls.map((call) => `export nr_${call}=${machines[machine].calls[call] ?? -1}\n`);
  return `${numbers.join("")}${script}\n`;
};

/** Why the attempt is meaningless in such a cell. */
const whyNot = ({ isTimed }: Escape, { world }: EscapesOptions): string | undefined =>
  isTimed === true && world === "machine"
    ? "a machine's own clock says nothing of it: it is timed from outside"
    : undefined;

/** `open` has the results of the same attempts without walls. */
export const escapesConformance = async (options: EscapesOptions, open: Promise<EscapeResults>): Promise<void> => {
  const { backend } = options;
  const { ok, walls, why } = await backend.probe();
  if (!ok) return test.skip(`${backend.kind}: ${why}`, () => {});
  const [tried, shown] = await Promise.all([tryEscapes(options), open]);
  describe(`${backend.kind}, D7: out of a cell`, () => {
    for (const escape of escapes) {
      const { name, wall } = escape;
      const title = `${wall}: ${name}`;
      const lacks = programsOf(escape).find((program) => tried.missingPrograms.has(program));
      const skipped =
        (walls.has(wall) ? undefined : "this wall does not stand here") ??
        (shown.reached.has(name) ? undefined : "fails on this machine without a wall, too") ??
        (lacks === undefined ? undefined : `its image has no ${lacks}`) ??
        whyNot(escape, options);
      if (skipped !== undefined) test.skip(`${title} (${skipped})`, () => {});
      else
        test(`${title} is not reached`, () => {
          const said = tried.outputs.get(name);
          expect({ reached: tried.reached.has(name), said: said ?? "not tried" }).toEqual({
            ...{ reached: false, said: said ?? "tried" },
          });
        });
    }
  });
};
