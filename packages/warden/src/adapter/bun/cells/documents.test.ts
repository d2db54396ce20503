import { test } from "bun:test";
import { createBackends } from "/work/h/documents/packages/warden/src/cells/backends.ts";
import { createBackendTable } from "/work/h/documents/packages/warden/src/adapter/bun/cells/table.ts";
import { createScratch } from "/work/h/documents/packages/warden/src/adapter/bun/cells/scratch.ts";
import { createDocuments } from "/work/h/documents/packages/warden/src/cells/documents.ts";
import { createBunWorld } from "/work/h/documents/packages/warden/src/adapter/bun/world.ts";
import { PDFDocument, StandardFonts } from "../../../../../documents/node_modules/pdf-lib";
test("x", async () => {
  const world = createBunWorld();
  const log = { write: console.log } as never;
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (let p = 1; p <= 200; p += 1) {
    const page = pdf.addPage();
    for (let l = 0; l < 40; l += 1) page.drawText(`Page ${p} line ${l}: the quick brown fox jumps over the lazy dog again`, { x: 50, y: 780 - l * 18, size: 10, font });
  }
  const bytes = await pdf.save();
  const documents = createDocuments({ clock: world.clock, backends: createBackends(createBackendTable({ world, log, folder: "/tmp/doc-cache" })), scratch: createScratch("/tmp/doc-cache/documents") });
  for (let i = 0; i < 2; i++) {
  const t = performance.now();
  const r = await documents.convert((async function* () { yield bytes; })(), bytes.length);
  console.log(bytes.length, performance.now() - t, JSON.stringify(r).slice(0, 300), JSON.stringify(r).length);
  }
}, 60000);
