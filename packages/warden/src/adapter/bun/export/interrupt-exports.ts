/** Ends an export at one operation after another, for tests, and checks what is left. */
import { expect } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { failure, type Sandbox } from "../../../fixtures/home-on-disk.ts";
import { createInterruptedDisk, Interrupted } from "../backup/interrupted-disk.ts";
import { exported, filesIn, imported } from "./export-fixtures.ts";
import { exportedFiles, INCOMPLETE, MANIFEST, readExport } from "./export-manifest.ts";
import { findExportDamage } from "./write-export.ts";

/** Ends an export at every `every`th operation. */
export const interruptExports = async (box: Sandbox, every: number): Promise<void> => {
  const folder = join(box.folder, "export");
  for (let at = 0, isOver = false; !isOver; at += every)
    for (const extent of ["done", "half done"] as const) {
      const disk = createInterruptedDisk(at, extent);
      const ended = await exported(box, { disk }).catch((error: unknown) => error);
      const where = `${extent}: ${disk.operations[at]}`;
      isOver ||= !(ended instanceof Interrupted);
      if (!existsSync(join(folder, MANIFEST))) {
        const isMarked = existsSync(join(folder, INCOMPLETE));
        // Before the mark there is nothing.
        expect({ where, isSafe: isMarked || !existsSync(folder) || filesIn(folder).length === 0 }).toEqual({
          where,
          isSafe: true,
        });
        const refused = await failure(imported(box));
        expect({ where, refused }).toMatchObject({ where, refused: { code: "backup.not-found" } });
        if (isMarked) expect(String(refused)).toContain("is not complete");
        await exported(box);
      }
      const manifest = await readExport(folder);
      expect({ where, damage: await findExportDamage(folder, manifest, () => {}) }).toEqual({ where, damage: [] });
      // Nothing that an interrupted export left remains.
      expect(filesIn(folder).length).toBe(exportedFiles(manifest).length + 1);
      rmSync(folder, { recursive: true });
      if (isOver || !disk.endsInWrite()) break;
    }
};
