/** A UI for tests of the port: a document, an icon, and a script with a compressed form. */
import type { UiFile, UiFiles } from "../ui-files.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

const file = (text: string, type: string, etag: string): UiFile => ({
  body: bytes(text),
  gzipped: undefined,
  type,
  etag,
  isImmutable: false,
});

const files: ReadonlyMap<string, UiFile> = new Map([
  ["index.html", file("<!doctype html><title>Hearth</title>", "text/html;charset=utf-8", "d0c")],
  ["worker.js", file("serve();", "text/javascript;charset=utf-8", "50c")],
  ["icon.svg", file("<svg/>", "image/svg+xml", "1c0")],
  [
    "index-1a2b3c4d.js",
    {
      ...file("start(); start();", "text/javascript;charset=utf-8", "5c1"),
      gzipped: bytes("start(); ×2"),
      isImmutable: true,
    },
  ],
]);

export const createFakeUiFiles = (): UiFiles => ({
  find: async (path) => files.get(/(^|\/)[^./]*$/.test(path) ? "index.html" : path),
});
