import { expect, test } from "bun:test";
import type { AgentId, AgentRecord } from "@hearth/protocol";
import { createFakeLog } from "../../kernel/log/log.ts";
import { createJobSources } from "./job-sources.ts";

const record = (id: string, content: object = { kind: "bot" }) => ({ id, content }) as AgentRecord;
const AGENTS = [
  record("broken"),
  record("ada", { kind: "human" }),
  record("peer", { kind: "bot", runs: "elsewhere" }),
  record("main"),
];

/** Sources that record what is asked of them. The file of the agent "broken" cannot be read. */
const setUp = () => {
  const events: string[] = [];
  const log = createFakeLog();
  const sources = createJobSources({
    clock: { turn: async () => {} },
    log,
    records: {
      list: async () => AGENTS,
      find: async (_: "agent", id: string) => AGENTS.find((agent) => agent.id === id),
    } as never,
    fileSync: {
      sync: async ({ id }) => {
        events.push(`file of ${id}`);
        if (id === ("broken" as AgentId)) throw new Error("unreadable");
        return [{ line: 3, message: "wrong" }] as never;
      },
      forget: async (id) => void events.push(`no jobs of ${id}`),
    },
    heartbeats: {
      sync: async ({ id }) => void events.push(`heartbeat of ${id}`),
      syncHouse: async () => Promise.reject(new Error("unreadable")),
      retryAll: async () => Promise.reject(new Error("unreadable")),
      forget: async (id) => void events.push(`no heartbeat of ${id}`),
    },
    hooks: { sweep: async () => void events.push("webhooks") },
  });
  return { sources, log, take: () => events.splice(0) };
};

test("`lookAtAll` reads the sources of each bot that runs here; one that fails is logged", async () => {
  const { sources, log, take } = setUp();
  await sources.refreshAll();
  expect(take()).toEqual(["file of broken", "file of main", "heartbeat of main"]);
  expect(log.lines).toEqual([expect.stringContaining("cannot read an agent's jobs; trying again")]);
});

test("`look` removes the rows of an agent that was deleted", async () => {
  const { sources, take } = setUp();
  await sources.refresh("main" as AgentId);
  await sources.refresh("ada" as AgentId);
  await sources.refresh("gone" as AgentId);
  expect(take()).toEqual(["file of main", "heartbeat of main", "no jobs of gone", "no heartbeat of gone"]);
  await sources.forgetRemoved(new Set(["main", "gone"] as AgentId[]));
  expect(take()).toEqual(["no jobs of gone", "no heartbeat of gone"]);
});

test("`sync` returns the errors of the file, and throws when it cannot be read", async () => {
  const { sources } = setUp();
  expect(await sources.sync(record("main"))).toHaveLength(1);
  await expect(sources.sync(record("broken"))).rejects.toThrow("unreadable");
});

test("failures to read heartbeats are logged", async () => {
  const { sources, log } = setUp();
  await sources.refreshHouse("house_1" as never);
  await sources.retryHeartbeats();
  expect(log.lines).toHaveLength(2);
});
