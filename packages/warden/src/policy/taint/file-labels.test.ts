import { plainRow } from "../../fixtures/rows.ts";
import { expect, test } from "bun:test";
import type { ActivationId, AgentId, Label } from "@hearth/protocol";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createLabelledFiles, EVERYTHING } from "./file-labels.ts";

const clock = { now: () => 7 };
const agent = "agent_1" as AgentId;
const by = "act_1" as ActivationId;
const page: Label = { integrity: "untrusted", readers: "anyone", sources: ["a page"] };

const open = async (store = createMemoryStore()) => {
  const files = createLabelledFiles({ clock, store });
  return { store, files, labels: await files.open(agent) };
};

test("a label applies to its path, to everything below it and to listings of its parents, and to nothing else", async () => {
  const { labels } = await open();
  labels.add("notes/web", page, by);
  const tainted = (path: string) => labels.labelOf(path).integrity === "untrusted";
  expect(["notes/web", "notes/web/one.md", "notes", EVERYTHING].map(tainted)).toEqual([true, true, true, true]);
  expect(["notes/web2", "notes/other", "web"].map(tainted)).toEqual([false, false, false]);
  expect(labels.labelOf("notes/web/one.md").sources).toEqual(["a page"]);
});

test("labels survive a restart, a second source is merged with the first, and agents do not share labels", async () => {
  const { store, labels } = await open();
  await store.commit({ writes: labels.add("a", page, by) });
  await store.commit({ writes: labels.add("a", { ...page, sources: ["another"] }, by) });
  const again = await open(store);
  expect(again.labels.list()).toEqual([{ path: "a", label: { ...page, sources: ["a page", "another"] } }]);
  expect((await again.files.open("agent_2" as AgentId)).list()).toEqual([]);
});

test("a file that is rewritten from untainted input loses its label, now and after a restart", async () => {
  const { store, labels } = await open();
  await store.commit({ writes: labels.add("a", page, by) });
  await store.commit({ writes: labels.clear("a") });
  expect(labels.clear("a")).toEqual([]);
  expect(labels.labelOf("a").integrity).toBe("owner");
  expect((await open(store)).labels.list()).toEqual([]);
});

test("a path that a disk may treat as the same one shares its label, and does not clear it", async () => {
  const { store, labels } = await open();
  await store.commit({ writes: labels.add("Notes/Café.md", page, by) });
  for (const path of ["notes/café.md", "NOTES", "Notes/Cafe\u0301.md"])
    expect([path, labels.labelOf(path).integrity]).toEqual([path, "untrusted"]);
  expect(labels.labelOf("notes2").integrity).toBe("owner");
  expect(labels.clear("notes/café.md")).toEqual([]);
  expect(labels.labelOf("Notes/Café.md").integrity).toBe("untrusted");
});

test("a person can remove the labels below a path, and other labels stay", async () => {
  const { store, files, labels } = await open();
  for (const path of ["a/b", "a", "ab"]) await store.commit({ writes: labels.add(path, page, by) });
  expect(await files.forget(agent, "a", "agent_2" as AgentId)).toEqual(["a/b", "a"]);
  expect(labels.list().map(({ path }) => path)).toEqual(["ab"]);
  expect((await open(store)).labels.list()).toHaveLength(1);
});

test("an unreadable row counts as untrusted", async () => {
  const { store } = await open();
  await store.commit({
    writes: [
      {
        kind: "put",
        table: "files",
        row: plainRow("files", { agent, path: "a", labels: "{", activation: null, at: 1 }),
      },
    ],
  });
  expect((await open(store)).labels.labelOf("a").integrity).toBe("untrusted");
});
