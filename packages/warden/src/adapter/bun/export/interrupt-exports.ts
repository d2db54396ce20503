/** Interrupts exports at one operation after another, for tests, and checks the files that remain. */
import { expect } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { failure, type Sandbox } from "../../../fixtures/home-on-disk.ts";
import { createInterruptedDisk, Interrupted } from "../backup/interrupted-disk.ts";
import { filesIn, runExport, runImport } from "./export-fixtures.ts";
import { exportedFiles, INCOMPLETE, MANIFEST, readExport } from "./export-manifest.ts";
import { findExportDamage } from "./write-export.ts";

/** Ends an export at the first operation and at every `stepSize`th operation after it. */
export const interruptExports = async (box: Sandbox, stepSize: number): Promise<void> => {
  const folder = join(box.folder, "export");
  for (let operationIndex = 0, isOver = false; !isOver; operationIndex += stepSize)
    for (const extent of ["done", "half done"] as const) {
      const disk = createInterruptedDisk(operationIndex, extent);
      const outcome = await runExport(box, { disk }).catch((error: unknown) => error);
      const where = `${extent}: ${disk.operations[operationIndex]}`;
      isOver ||= !(outcome instanceof Interrupted);
      if (!existsSync(join(folder, MANIFEST))) {
        const isMarked = existsSync(join(folder, INCOMPLETE));
        // The mark is written before any other file.
        expect({ where, isSafe: isMarked || !existsSync(folder) || filesIn(folder).length === 0 }).toEqual({
          where,
          isSafe: true,
        });
        const refused = await failure(runImport(box));
        expect({ where, refused }).toMatchObject({ where, refused: { code: "backup.not-found" } });
        if (isMarked) expect(String(refused)).toContain("is not complete");
        await runExport(box);
      }
      const manifest = await readExport(folder);
      expect({ where, damage: await findExportDamage(folder, manifest, () => {}) }).toEqual({ where, damage: [] });
      // The complete export removed all files of the interrupted one.
      expect(filesIn(folder).length).toBe(exportedFiles(manifest).length + 1);
      rmSync(folder, { recursive: true });
      if (isOver || !disk.endsInWrite()) break;
    }
};
