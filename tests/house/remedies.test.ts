/** Checks the messages of the house: they name the page of a setting or its command, not a table of the config file. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { root } from "./source.ts";

/** Tables that Settings or `hearth config set` changes. */
const TABLES = ["attachments", "budget", "cells", "memory", "pictures", "search", "voice"];

/** The parts that read the config file, whose messages name its lines. */
const READS_CONFIG = /\/kernel\/config\//;

test("a message that names a table of hearth.toml is only about a setting that no page and no command changes", async () => {
  const table = new RegExp(String.raw`["'\`][^"'\`]*\[(?:${TABLES.join("|")})\]`);
  const found: string[] = [];
  for (const path of new Bun.Glob("packages/{warden,cli,memory}/src/**/*.ts").scanSync(root)) {
    if (READS_CONFIG.test(path) || /\.(test|conformance)\.ts$|\/(fixtures|fakes)\//.test(path)) continue;
    for (const [index, line] of (await Bun.file(join(root, path)).text()).split("\n").entries())
      if (!/^\s*(\/?\*|\/\/)/.test(line) && table.test(line)) found.push(`${path}:${index + 1} ${line.trim()}`);
  }
  expect(found).toEqual([]);
});
