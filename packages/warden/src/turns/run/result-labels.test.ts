import { expect, test } from "bun:test";
import type { ActivationId, AgentId, Audience, Label } from "@hearth/protocol";
import { createLabelledFiles } from "../../policy/taint/file-labels.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { TRUSTED_LABEL } from "../../agents/tools/call.ts";
import { createResultLabels, labelOfTool } from "./result-labels.ts";

const page: Label = { integrity: "untrusted", readers: "anyone", sources: ["a page"] };
const ROOM: Audience = "room:room_00000000000000000000000001" as Audience;

const open = async (audience: Audience = "private", reachedHosts: string[] = []) => {
  const store = createMemoryStore();
  const files = await createLabelledFiles({ clock: { now: () => 1 }, store }).open("agent_1" as AgentId);
  const running: string[] = [];
  const leftoverCommands = { record: () => void running.push(""), folders: () => running };
  const labels = createResultLabels({
    activation: "act_1" as ActivationId,
    audience,
    files,
    reachedHosts,
    leftoverCommands,
  });
  const of = (name: string, input: Record<string, string> = {}) => labels.of({ name, input }).integrity;
  const write = (name: string, input: Record<string, string | boolean>, taint: Label) =>
    labels.labelWritten({ name, input }, taint).map(({ kind }) => kind);
  return { files, labels, of, store, write };
};

test("a file that a tainted turn wrote taints its readers, and no other file does", async () => {
  const { of, write } = await open();
  expect(write("write", { path: "./web//page.md" }, page)).toEqual(["put"]);
  expect([of("read", { path: "web/page.md" }), of("grep", { path: "web" }), of("list")]).toEqual(
    Array(3).fill("untrusted"),
  );
  expect([of("read", { path: "other.md" }), of("list", { path: "other" })]).toEqual(["trusted", "trusted"]);
});

test("a command of a tainted turn taints the whole workspace", async () => {
  const { of, write } = await open();
  expect(write("shell", { command: "cat >x" }, TRUSTED_LABEL)).toEqual([]);
  expect(of("shell", { command: "cat x" })).toBe("trusted");
  for (const name of ["shell", "git", "processes", "apply_patch"]) expect(write(name, {}, page)).toEqual(["put"]);
  expect([of("read", { path: "x" }), of("shell", { command: "cat x" })]).toEqual(["untrusted", "untrusted"]);
});

test("while a background command runs, a tainted write taints everything that the command can write to", async () => {
  const { of, write } = await open();
  write("shell", { command: "watch" }, TRUSTED_LABEL);
  write("write", { path: "one" }, page);
  expect([of("read", { path: "one" }), of("read", { path: "copy" })]).toEqual(["untrusted", "trusted"]);
  write("shell", { command: "watch", background: true }, TRUSTED_LABEL);
  expect(of("read", { path: "copy" })).toBe("trusted");
  write("write", { path: "one" }, page);
  expect(of("read", { path: "copy" })).toBe("untrusted");
});

test("while a background command runs, a host's response taints everything that the command can write to", async () => {
  const { of, write, labels, store } = await open();
  expect(labels.labelNetwork("example.com")).toEqual([]);
  expect(of("read", { path: "page" })).toBe("trusted");
  write("shell", { command: "curl", background: true }, TRUSTED_LABEL);
  expect(of("read", { path: "page" })).toBe("trusted");
  await store.commit({ writes: labels.labelNetwork("example.com") });
  expect(labels.of({ name: "read", input: { path: "page" } }).sources).toEqual(["the network: example.com"]);
  expect(await store.select({ table: "files" })).toMatchObject([{ path: "", activation: "act_1" }]);
});

test("an untainted turn clears the taint of a file by writing it whole, not by changing it", async () => {
  const { of, write } = await open();
  write("write", { path: "a" }, page);
  expect(write("edit", { path: "a" }, TRUSTED_LABEL)).toEqual([]);
  expect(of("read", { path: "a" })).toBe("untrusted");
  expect(write("write", { path: "a" }, TRUSTED_LABEL)).toEqual(["delete"]);
  expect(of("read", { path: "a" })).toBe("trusted");
});

test("a path with `..` counts as the whole workspace", async () => {
  const { of, write } = await open();
  write("write", { path: "web/page.md" }, page);
  for (const path of ["/mnt/brain/workspace/other.md", "other/../web/page.md", "../x"])
    expect(of("read", { path })).toBe("untrusted");
});

test("the result of a command that reached the network is labelled with the host", async () => {
  const reached: string[] = [];
  const { labels, of } = await open("private", reached);
  expect(of("shell")).toBe("trusted");
  reached.push("example.com");
  expect(labels.of({ name: "shell", input: {} }).sources).toEqual(["the network: example.com"]);
  expect(of("read", { path: "a" })).toBe("trusted");
});

test("the files of a room are one folder of the workspace, and its commands reach no other folder", async () => {
  const { files, of, write } = await open(ROOM);
  write("shell", {}, page);
  expect(files.list().map(({ path }) => path)).toEqual(["rooms/room_00000000000000000000000001"]);
  expect(of("read", { path: "a" })).toBe("untrusted");
  expect(files.labelOf("notes.md").integrity).toBe("owner");
});

test("a host tool that reads untrusted text has that label unless it returns its own", () => {
  expect(labelOfTool("web_search")).toMatchObject({ integrity: "untrusted", sources: ["the tool web_search"] });
  expect(labelOfTool("send_message")).toEqual(TRUSTED_LABEL);
});

test("files of a tainted turn's messages are untrusted until the last turn that has them ends", async () => {
  const { of, labels, files } = await open(ROOM);
  const turnsByReceivedPath = new Map<string, number>();
  const leftoverCommands = { record: () => {}, folders: () => [] };
  const turnOf = (activation: string) =>
    createResultLabels({
      activation: activation as ActivationId,
      audience: ROOM,
      files,
      reachedHosts: [],
      leftoverCommands,
      turnsByReceivedPath,
    });
  const [one, other] = [turnOf("act_1"), turnOf("act_2")];
  expect(labels.labelReceived(["inbox/own.txt"], TRUSTED_LABEL)).toEqual([]);
  for (const turn of [one, other, one])
    expect(turn.labelReceived(["inbox/a.txt"], page).map(({ kind }) => kind)).toEqual(["put"]);
  expect([of("read", { path: "inbox/a.txt" }), of("shell", { command: "ls" })]).toEqual(["untrusted", "untrusted"]);
  expect(of("read", { path: "notes.txt" })).toBe("trusted");
  expect(one.unlabelReceived()).toEqual([]);
  expect(of("read", { path: "inbox/a.txt" })).toBe("untrusted");
  expect(other.unlabelReceived().map(({ kind }) => kind)).toEqual(["delete"]);
  expect(of("read", { path: "inbox/a.txt" })).toBe("trusted");
  expect(other.unlabelReceived()).toEqual([]);
});

test("a file that a tool on the host made has the label of the turn for as long as it stays", async () => {
  const { of, labels } = await open(ROOM);
  expect(labels.labelPermanent(["pictures/a.png"], page).map(({ kind }) => kind)).toEqual(["put"]);
  expect(labels.unlabelReceived()).toEqual([]);
  expect(of("read", { path: "pictures/a.png" })).toBe("untrusted");
  expect(labels.labelPermanent(["pictures/a.png"], TRUSTED_LABEL).map(({ kind }) => kind)).toEqual(["delete"]);
  expect(of("read", { path: "pictures/a.png" })).toBe("trusted");
});
