/**
 * Tests a cell's resource limits to their end: the excess is contained, reported, and does not
 * affect other cells. A test runs only if the backend reports its wall.
 */
import { expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_CELL_LIMITS, type OwnCellLimits, type Wall } from "@hearth/protocol";
import { type CellBrain, createCellBrain } from "../fixtures/cell-brain.ts";
import { type CellShell, createCellShell } from "../fixtures/cell-shell.ts";
import { findRunning, isAlive } from "../fixtures/processes.ts";
import type { Cell, CellBackend } from "./backend.ts";

interface CellUnderTest {
  readonly cell: Cell;
  readonly home: CellBrain;
  readonly shell: CellShell;
}

const MiB = 1024 * 1024;

/**
 * One size for all tests: a backend may have to prepare a machine of each size, which takes longer
 * than the tests.
 */
const SMALL = { memoryMiB: 256, diskMiB: 16 } as const;

export interface LimitsOptions {
  readonly backend: CellBackend;
  /** The backend's limit walls that hold on this machine. */
  readonly enforcedWalls: ReadonlySet<Wall>;
  /** Longest time of one test, including the preparation of a machine. */
  readonly patienceMs: number;
  /** The reason to skip tests with long computations on this machine. When absent, they run. */
  readonly skipsLong?: string | undefined;
}

export const limitsConformance = ({ backend, enforcedWalls, patienceMs, skipsLong }: LimitsOptions): void => {
  const name = backend.kind;
  const withCell = async (limits: OwnCellLimits, work: (inside: CellUnderTest) => Promise<void>): Promise<void> => {
    using home = createCellBrain({ limits: { ...DEFAULT_CELL_LIMITS, ...limits } });
    const cell = await backend.open(home.spec);
    try {
      await work({ cell, home, shell: await createCellShell(cell, home.spec.agent) });
    } finally {
      await cell.close();
    }
    if (cell.pid !== undefined) expect(isAlive(cell.pid)).toBe(false);
  };

  const testHere = (title: string, work: () => Promise<void>): void => test(`${name}: ${title}`, work, patienceMs);
  const testWith = (wall: Wall, title: string, work: () => Promise<void>): void => {
    if (enforcedWalls.has(wall)) testHere(title, work);
    else test.skip(`${name}: ${title} (${wall} does not hold here)`, () => {});
  };

  /** Takes minutes where the processor is emulated. */
  const testLong = (wall: Wall | undefined, title: string, work: () => Promise<void>): void => {
    if (skipsLong !== undefined) test.skip(`${name}: ${title} (${skipsLong})`, () => {});
    else if (wall === undefined) testHere(title, work);
    else testWith(wall, title, work);
  };

  testLong("pids", "a fork bomb ends with its command and does not affect another cell", () =>
    withCell({}, (neighbour) =>
      withCell({ processes: 48 }, async ({ cell, shell }) => {
        const mark = crypto.randomUUID();
        expect((await neighbour.shell.run("echo well")).text).toBe("well");
        const bomb = shell.run(`: ${mark}; bomb() { bomb | bomb & }; bomb; sleep 1; echo over`);
        expect((await neighbour.shell.run("echo well")).text).toBe("well");
        // The fork bomb may also end the inmate. The cell then reports the reason.
        const output = await bomb.then(({ text }) => text).catch(String);
        expect(output).toMatch(/cannot fork|could not fork|resource temporarily|processes|memory/i);
        await cell.close();
        expect(findRunning(mark)).toEqual([]);
      }),
    ),
  );

  // An emulated machine may need longer to fill its memory than a command may take.
  testLong("memory", "a command that fills the memory is ended with the reason", () =>
    withCell(SMALL, async ({ shell }) => {
      const { text, failed } = await shell.run(FILL_MEMORY);
      expect({ failed, text }).toEqual({ failed: true, text: expect.stringContaining("memory was used up") });
      expect((await shell.run("echo well")).text).toBe("well");
    }),
  );

  testLong("memory", "an inmate that the memory was taken from is gone, with words for why", () =>
    withCell(SMALL, async ({ cell, shell }) => {
      // Many processes, each smaller than the inmate and blocked on output, so none of them is an
      // obvious one to kill.
      const fill = `i=0; while [ $i -lt 15 ]; do { dd if=/dev/zero bs=24M count=1 | sleep 4 & }; i=$((i+1)); done; wait`;
      const failure = await shell.run(fill).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      if (failure === undefined) expect((await shell.run("echo well")).text).toBe("well");
      else expect(await cell.exited).toContain("256 MiB of memory");
    }),
  );

  testHere("a command that writes without end is ended with the reason", () =>
    withCell({}, async ({ shell }) => {
      expect((await shell.run("yes")).text).toContain("too much output");
      expect((await shell.run("echo well")).text).toBe("well");
    }),
  );

  testHere("a command that ignores its end is killed at its timeout, with all its processes", () =>
    withCell({}, async ({ shell }) => {
      const mark = crypto.randomUUID();
      const deafCommand = `sh -c 'trap "" TERM HUP INT; while :; do sleep 1; done' ${mark}`;
      const { text } = await shell.run(`${deafCommand} & ${deafCommand}`, { timeoutSeconds: 1 });
      expect(text).toContain("[stopped after ");
      expect(findRunning(mark)).toEqual([]);
      expect(await findInside(shell, mark)).toBe("");
    }),
  );

  testHere("a file ends at its largest size, for commands and for the inmate", () =>
    withCell({ fileMiB: 2 }, async ({ home, shell }) => {
      const { text } = await shell.run("head -c 9000000 /dev/zero >large");
      expect(text).toContain("larger than the cell may write");
      expect(statSync(join(home.workspace, "large")).size).toBe(2 * MiB);
      expect((await shell.run("echo well")).text).toBe("well");
    }),
  );

  testLong(
    undefined,
    "a disk that is filled ends the cell or the command, with words for why, and may be cleared out",
    () =>
      withCell(SMALL, async ({ cell, home, shell }) => {
        const fill =
          "i=0; while [ $i -lt 600 ]; do head -c 1048576 /dev/zero >part-$i || break; i=$((i+1)); sleep 0.05; done";
        const words = await shell.run(fill).then(({ text }) => text, String);
        if (!words.includes("No space left")) {
          expect(words).toContain("16 MiB");
          expect(await cell.exited).toContain("its files use more than its 16 MiB");
        }
        expect(readdirSync(home.workspace).length).toBeLessThan(200);
        await cell.close();
        const newCell = await backend.open(home.spec);
        const newShell = await createCellShell(newCell, home.spec.agent);
        // The command takes longer than the pause between two measurements, and a small further write ends no cell.
        const cleanUpCommand = "head -c 200000 /dev/zero >note 2>&-; sleep 3; rm part-* note; ls";
        expect((await newShell.run(cleanUpCommand)).text).toBe("[no output]");
        await newCell.close();
        expect(readdirSync(home.workspace)).toEqual([]);
      }),
  );

  testHere("a disk that is filled by files that were removed while they are open ends the cell or the command", () =>
    withCell(SMALL, async ({ cell, shell }) => {
      const fill = `exec 3>a 4>b 5>c; rm a b c; for each in 3 4 5; do head -c 12000000 /dev/zero >&$each || exit; done; sleep 60`;
      const words = await shell.run(fill, { timeoutSeconds: 30 }).then(({ text }) => text, String);
      if (words.includes("No space left")) return;
      expect(words).toContain("its files use more than its 16 MiB");
      expect(await cell.exited).toContain("16 MiB");
    }),
  );

  // A virtual machine's disk has a fixed number of files.
  const testUnlessMachine = backend.traits.isolation === "vm" ? () => {} : testHere;
  testUnlessMachine("a disk that is filled by empty files ends the cell", () =>
    withCell(SMALL, async ({ cell, shell }) => {
      const fill = `i=0; while [ $i -lt 5000 ]; do : >empty-$i; i=$((i+1)); done; sleep 60`;
      const words = await shell.run(fill, { timeoutSeconds: 30 }).then(({ text }) => text, String);
      expect(words).toContain("it has more files than fit in its 16 MiB");
      expect(await cell.exited).toContain("16 MiB");
    }),
  );

  testWith("pids", "what left its group, its session and its environment ends with the cell", () =>
    withCell({}, async ({ cell, shell }) => {
      const mark = crypto.randomUUID();
      await shell.run(`env -i setsid sh -c 'trap "" TERM HUP; setsid tail -qF ${mark} & setsid tail -qF ${mark} &'`);
      await cell.close();
      expect(findRunning(mark)).toEqual([]);
    }),
  );

  testHere("a command that ends the inmate is refused, or ends the cell with words for why", () =>
    withCell({}, async ({ cell, shell }) => {
      const mark = crypto.randomUUID();
      const killResult = await shell
        .run(`setsid tail -qF ${mark} & kill -KILL $PPID || echo refused`)
        .catch(() => undefined);
      if (killResult?.text.includes("refused") === true) {
        expect((await shell.run("echo well")).text).toBe("well");
        await cell.close();
      } else expect(await cell.exited).toMatch(/SIGKILL|137|its inmate/);
      // No process of the command remains.
      expect(findRunning(mark)).toEqual([]);
    }),
  );
};

/**
 * Fills the memory at once, but no more than a machine of that size reports; otherwise it would not
 * even start.
 */
const FILL_MEMORY = `read -r _ all _ </proc/meminfo; mebibytes=$((all / 1024 - 8)); [ $mebibytes -lt 500 ] || mebibytes=500
dd if=/dev/zero of=/dev/null bs=\${mebibytes}M count=1`;

/**
 * Process ids in the cell whose command contains the mark, where the cell shows them. The command
 * splits the mark, so that it does not find itself.
 */
const findInside = async (shell: CellShell, mark: string): Promise<string> => {
  const { text } = await shell.run(`grep -ls '${mark.slice(0, 9)}''${mark.slice(9)}' /proc/[0-9]*/cmdline; true`);
  return text === "[no output]" ? "" : text;
};
