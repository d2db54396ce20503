/**
 * Creates a tree in a temporary folder, laid out like the repository, in which tests plant faults.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const manifest = (
  name: string,
  exports: Record<string, string>,
  dependencies: Record<string, string> = {},
  devDependencies = {},
) => JSON.stringify({ name: `@hearth/${name}`, exports, dependencies, devDependencies });

const ground: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({ name: "hearth", type: "module" }),
  "tests/package.json": manifest("tests", {}, { "@hearth/client": "1" }),
  "packages/protocol/package.json": manifest("protocol", { ".": "./src/index.ts" }, { zod: "1" }),
  "packages/protocol/src/index.ts": "export const one = 1;\n",
  "packages/testing/package.json": manifest("testing", { "./cells": "./cells/index.ts" }, { "@hearth/protocol": "1" }),
  "packages/testing/cells/index.ts": 'import "node:fs";\nimport "@hearth/protocol";\nexport const hostile = 1;\n',
  "packages/inmate/package.json": manifest("inmate", { ".": "./src/inmate.ts" }, { "@hearth/protocol": "1" }),
  "packages/inmate/src/inmate.ts": 'import "@hearth/protocol";\n',
  "packages/client/package.json": manifest("client", { ".": "./src/index.ts" }, { "@hearth/protocol": "1" }),
  "packages/client/src/index.ts": 'export * from "@hearth/protocol";\n',
  "packages/ui/package.json": manifest(
    "ui",
    { "./bun": "./src/adapter/bun/files.ts" },
    { "@hearth/client": "1", "@hearth/protocol": "1" },
  ),
  "packages/ui/src/adapter/bun/files.ts": 'import "node:fs";\n',
  "packages/ui/src/text/text.tsx": 'import "@hearth/protocol";\nexport const text = <p />;\n',
  "packages/ui/src/rooms/room.tsx":
    'import { text } from "../text/text.tsx";\nimport "@hearth/client";\nexport const room = text;\n',
  "packages/cli/package.json": manifest(
    "cli",
    {},
    { "@hearth/client": "1", "@hearth/testing": "1", "@hearth/warden": "1" },
  ),
  "packages/cli/src/commands/up.ts": 'import "@hearth/warden";\nimport "node:fs";\n',
  "packages/warden/package.json": manifest(
    "warden",
    { ".": "./src/warden.ts" },
    { "@hearth/protocol": "1", "@hearth/inmate": "1", "@hearth/ui": "1", zod: "1" },
    { "@hearth/testing": "1", "fast-check": "1" },
  ),
  "packages/warden/src/warden.ts": 'import { rooms } from "./people/index.ts";\nexport const warden = rooms;\n',
  "packages/warden/src/people/index.ts": 'export { rooms } from "./rooms/rooms.ts";\n',
  "packages/warden/src/people/rooms/rooms.ts":
    'import type { Store } from "../../kernel/index.ts";\nimport { z } from "zod";\nexport const rooms = (store: Store) => [store, z];\n',
  "packages/warden/src/people/rooms/rooms.test.ts":
    'import "fast-check";\nimport "@hearth/testing/cells";\nimport "bun:test";\nimport "../../adapter/bun/main.ts";\ntest("x", () => {});\n',
  "packages/warden/src/kernel/index.ts": 'export type { Store } from "./store/store.ts";\n',
  "packages/warden/src/kernel/store/store.ts": 'import "@hearth/protocol";\nexport interface Store {}\n',
  "packages/warden/src/adapter/bun/main.ts":
    'import "node:fs";\nimport "@hearth/inmate";\nimport "@hearth/ui/bun";\nimport "../../warden.ts";\n',
};

export interface Planted extends AsyncDisposable {
  readonly folder: string;
}

/** Creates a tree without faults and adds these files. */
export const plant = async (files: Readonly<Record<string, string>>): Promise<Planted> => {
  const folder = await mkdtemp(join(tmpdir(), "hearth-house-"));
  await Promise.all(Object.entries({ ...ground, ...files }).map(([path, text]) => Bun.write(join(folder, path), text)));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
};
