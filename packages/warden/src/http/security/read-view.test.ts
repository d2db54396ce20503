import { expect, test } from "bun:test";
import { tools } from "@hearth/protocol/tools";
import { createFakeIds } from "../../fixtures/ids.ts";
import { plainRow } from "../../fixtures/rows.ts";
import { createMemoryConfigFile } from "../../kernel/config/file.ts";
import { parseConfig } from "../../kernel/config/read.ts";
import { createConfigSource } from "../../kernel/config/source.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { readView } from "./read-view.ts";

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
  const { referred } = await readView({
    home: "/srv/hearth",
    now: 0,
    config: createConfigSource(createMemoryConfigFile(config), parseConfig(config, "hearth.toml")),
    table: tools,
    store,
    vault: { state: "empty" },
    audit: { houses: () => Promise.resolve([]), verify: () => Promise.reject(new Error("there is no house")) },
  });
  expect([...referred].toSorted()).toEqual(["EMBEDDER", "PROVIDER", "SEARCH", "job-news-hook_1"]);
});
