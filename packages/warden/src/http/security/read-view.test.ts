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

test("the last login of a person with rights is that of a session, or of the person's log after the session ended", async () => {
  const ids = createFakeIds();
  const store = createMemoryStore();
  const house = ids("house");
  const [ada, bob, eve, dan] = [ids("agent"), ids("agent"), ids("agent"), ids("agent")];
  const grant = (agent: string, rights: string | null) =>
    ({
      kind: "insert",
      table: "grants",
      row: plainRow("grants", { agent, target: house, house, level: "r", by: agent, at: 1, rights }),
    }) as const;
  const login = (agent: string, at: number) =>
    ({
      kind: "append",
      stream: `agent:${agent}`,
      event: { id: ids("evt"), type: "session-began", at, body: null, blob: null, labels: null },
    }) as const;
  await store.commit({
    writes: [
      ...[grant(ada, '["audit"]'), grant(bob, '["secrets"]'), grant(eve, '["secrets"]'), grant(dan, null)],
      ...[login(ada, 3), login(bob, 5), login(bob, 7), login(dan, 9)],
      {
        kind: "insert",
        table: "logins",
        row: plainRow("logins", {
          ...{ hash: "h", id: ids("ses"), agent: ada, about: "", created_at: 3, expires_at: 99, used_at: 8 },
          ...{ name: null, address: null, method: null },
        }),
      },
    ],
  });
  const { lastLogins } = await readView(sourcesOf(store));
  expect([...lastLogins]).toEqual([
    [ada, 8],
    [bob, 7],
  ]);
});
