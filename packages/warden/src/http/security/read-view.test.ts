import { expect, test } from "bun:test";
import { tools } from "@hearth/protocol/tools";
import { createFakeIds } from "../../fixtures/ids.ts";
import { plainRow } from "../../fixtures/rows.ts";
import { createMemoryConfigFile } from "../../kernel/config/file.ts";
import { parseConfig } from "../../kernel/config/read.ts";
import { createConfigSource } from "../../kernel/config/source.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import type { Store } from "../../kernel/store/store.ts";
import { readView, type ViewSources } from "./read-view.ts";

const sourcesOf = (store: Store, config = "version = 1\n"): ViewSources => ({
  home: "/srv/hearth",
  now: 10,
  config: createConfigSource(createMemoryConfigFile(config), parseConfig(config, "hearth.toml")),
  table: tools,
  store,
  vault: { state: "empty" },
  audit: { houses: () => Promise.resolve([]), verify: () => Promise.reject(new Error("there is no house")) },
});

test("secrets in the config and keys of webhooks count as used", async () => {
  const ids = createFakeIds();
  const store = createMemoryStore();
  const hook = plainRow("job_hooks", {
    id: "hook_1",
    house: ids("house"),
    agent: ids("agent"),
    job: "news",
    secret: "job-news-hook_1",
    created_at: 0,
  });
  await store.commit({ writes: [{ kind: "insert", table: "job_hooks", row: hook }] });
  const config = `version = 1
[providers.local]
kind = "openai"
base_url = "http://127.0.0.1:1/v1"
api_key = "secret:PROVIDER"
[search]
kind = "brave"
api_key = "secret:SEARCH"
[memory]
embedder = "openai-compatible"
base_url = "http://127.0.0.1:1/v1"
model = "m"
dimensions = 3
api_key = "secret:EMBEDDER"
`;
  const { referencedSecrets } = await readView(sourcesOf(store, config));
  expect([...referencedSecrets].toSorted()).toEqual(["EMBEDDER", "PROVIDER", "SEARCH", "job-news-hook_1"]);
});

test("only invites that can be used now, in houses that the caller sees, are examined", async () => {
  const ids = createFakeIds();
  const store = createMemoryStore();
  const [home, annex] = [ids("house"), ids("house")];
  const row = (hash: string, more: object = {}) =>
    plainRow("invites", {
      id: ids("inv"),
      house: home,
      hash,
      level: "x",
      rooms: null,
      note: null,
      by: ids("agent"),
      created_at: 0,
      expires_at: 11,
      used_at: null,
      used_by: null,
      revoked_at: null,
      rights: null,
      ...more,
    });
  const open = row("open");
  const rows = [
    open,
    row("used", { used_at: 1 }),
    row("revoked", { revoked_at: 1 }),
    row("expired", { expires_at: 10 }),
  ];
  for (const each of [...rows, row("elsewhere", { house: annex })])
    await store.commit({ writes: [{ kind: "insert", table: "invites", row: each }] });
  const { invites } = await readView({ ...sourcesOf(store), houses: new Set([home]) });
  expect(invites).toEqual([{ id: open.id, house: home, level: "x", rights: [], expiresAt: 11 }]);
});
