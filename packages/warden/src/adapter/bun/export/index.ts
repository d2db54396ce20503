/** Exports of a home as plain files, and their import. */
import { readFile } from "node:fs/promises";
import { createBunWorld } from "../world.ts";
import { type ExportReport, type ExportRequest, exportHome as createExport } from "./create-export.ts";

export { importExport } from "./import-export.ts";
export type { ExportReport } from "./create-export.ts";
export type { ImportOutcome, ImportReport } from "./import-export.ts";
export type { OnProgress, Progress } from "./write-export.ts";

export const exportHome = async (options: ExportRequest): Promise<ExportReport> => {
  const { version }: { readonly version: string } = JSON.parse(
    await readFile(new URL("../../../../package.json", import.meta.url), "utf8"),
  );
  return createExport({ ...options, version, now: createBunWorld().clock.now });
};
