/** Marks of cells among the host's processes, noted on the disk while they are in use: a house that is started after a crash finds what was left behind. */
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, createLate } from "@hearth/protocol";
import { FIRST_MARK } from "../../../cells/mark.ts";
import { sweepMarked } from "./sweep.ts";

export interface CellMarks {
  /** One that no other cell has. The first time, those of a house that ended without a word are ended. */
  take(): Promise<number>;
  /** Ends whatever has it, or one of these in its environment. */
  end(mark: number, environment: readonly string[]): Promise<void>;
}

/** `folder`: absolute path of one of the house's own. */
export const createCellMarks = ({ clock, folder }: { readonly clock: Clock; readonly folder: string }): CellMarks => {
  const noteOf = (mark: number): string => join(folder, `${process.pid}-${mark}`);
  const begin = createLate(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(folder)) {
      const [, owner, mark] = /^(\d+)-(\d+)$/.exec(name) ?? [];
      if (mark === undefined || existsSync(`/proc/${owner}`)) continue;
      await sweepMarked(clock, { environment: [], limit: Number(mark) });
      await rm(join(folder, name), { force: true });
    }
  });
  return {
    async take() {
      await begin();
      const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
      // As far as a number is exact.
      const mark = FIRST_MARK + (high >>> 12) * 2 ** 32 + low;
      await writeFile(noteOf(mark), "");
      return mark;
    },
    async end(mark, environment) {
      await sweepMarked(clock, { environment, limit: mark });
      await rm(noteOf(mark), { force: true });
    },
  };
};
