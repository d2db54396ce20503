/**
 * D3: an approval for a command covers the scripts that it names, as they were on the disk when a
 * person was asked.
 */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bootInmate } from "@hearth/inmate/bun/boot";
import { found, until } from "@hearth/protocol/until";
import { createBunBrainDisk } from "../../src/adapter/bun/brain-disk.ts";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createInlineBackend } from "../../src/cells/inline.ts";
import { createTestDisk, openTestHouse, type TestDisk } from "../../src/fixtures/house.ts";
import { call, lastIn, resultsIn } from "../../src/fixtures/talk.ts";

type Json = ReturnType<typeof JSON.parse>;

/** A house that runs the message as a command on real files, after an approval. */
const open = async (disk: TestDisk, root: string) => {
  mkdirSync(join(root, "main/workspace"), { recursive: true });
  const { clock } = createBunWorld();
  const house = await openTestHouse({
    disk: { ...disk, brains: createBunBrainDisk(root) },
    backend: createInlineBackend({ boot: (cell) => bootInmate({ ...cell, clock }) }),
    config: 'tools = ["shell", "time"]\nmode = "ask"\n',
    script: (request) => {
      const [result] = resultsIn(request);
      return result === undefined ? call("shell", { command: lastIn(request) }) : { text: result.text };
    },
  });
  const pending = async (): Promise<Json[]> => (await house.ask("GET", "/api/approvals?state=pending")).json;
  return {
    house,
    pending,
    untilAsked: (isOld: (id: string) => boolean = () => false): Promise<Json> =>
      found<Json>(async () => (await pending()).find(({ id }) => !isOld(id))),
    allow: (id: string) => house.ask("POST", `/api/approvals/${id}`, { decision: "allow", scope: "once" }),
    async untilSaid(text: string): Promise<void> {
      await until(async () => JSON.stringify(await house.messages()).includes(text));
    },
  };
};

const createRoot = () => {
  const root = mkdtempSync(join(tmpdir(), "hearth-swapped-"));
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
};

test("D3: toctou: a script that was swapped after the approval needs a new one, and runs only with an approval for its current content", async () => {
  using disk = createTestDisk();
  using made = createRoot();
  const { house, pending, untilAsked, allow, untilSaid } = await open(disk, made.root);
  await using _ = house;
  const script = join(made.root, "main/workspace/run.sh");
  writeFileSync(script, "echo harmless");
  await house.post("sh run.sh");
  const first = await untilAsked();
  expect(first.display).toContain('"run.sh"');
  writeFileSync(script, "echo harmful");
  expect((await allow(first.id)).status).toBe(200);
  const second = await untilAsked((id) => id === first.id);
  expect((await house.ask("GET", `/api/approvals/${first.id}`)).json.state).toBe("expired");
  expect(JSON.stringify(await house.messages())).not.toContain("harmful");
  expect((await allow(second.id)).status).toBe(200);
  await untilSaid("harmful");
  expect(await pending()).toEqual([]);
});

test.each(["Makefile", "repo/package.json", "repo/.git/hooks/pre-commit"])(
  "D3: toctou: files that a command uses without naming them are those of the approval: %s",
  async (path) => {
    using disk = createTestDisk();
    using made = createRoot();
    const { house, untilAsked, allow } = await open(disk, made.root);
    await using _ = house;
    const at = join(made.root, "main/workspace", path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, "harmless");
    await house.post("echo ran | tr a-z A-Z");
    const first = await untilAsked();
    writeFileSync(at, "harmful");
    await allow(first.id);
    await untilAsked((id) => id === first.id);
    expect((await house.ask("GET", `/api/approvals/${first.id}`)).json.state).toBe("expired");
    expect(JSON.stringify(await house.messages())).not.toContain("RAN");
  },
);

test("D3: toctou: an approval for a command that names a FIFO or a socket states that its content cannot be pinned", async () => {
  using disk = createTestDisk();
  using made = createRoot();
  const { house, untilAsked, allow } = await open(disk, made.root);
  await using _ = house;
  const inWorkspace = (name: string): string => join(made.root, "main/workspace", name);
  expect(Bun.spawnSync(["mkfifo", inWorkspace("f1")]).exitCode).toBe(0);
  using _listening = Bun.listen({ unix: inWorkspace("s1"), socket: { data: () => undefined } });
  writeFileSync(inWorkspace("run.sh"), "echo harmless");
  await house.post("sh f1 s1 run.sh");
  const first = await untilAsked();
  expect(first.display).toContain('with the current content of these files: "run.sh"');
  expect(first.display).toContain(
    'WARNING: the content of these files may change before the command runs: "f1" (is not a regular file), "s1" (is not a regular file)',
  );
  rmSync(inWorkspace("f1"));
  writeFileSync(inWorkspace("f1"), "echo harmful");
  await allow(first.id);
  const second = await untilAsked((id) => id === first.id);
  expect(second.display).toContain('with the current content of these files: "f1", "run.sh"');
  expect(JSON.stringify(await house.messages())).not.toContain("harmful");
});

test("D3: files that a command neither names nor uses may change meanwhile, and the approval still holds", async () => {
  using disk = createTestDisk();
  using made = createRoot();
  const { house, pending, untilAsked, allow, untilSaid } = await open(disk, made.root);
  await using _ = house;
  const notes = join(made.root, "main/workspace/notes.md");
  writeFileSync(notes, "one");
  await house.post("echo ran | tr a-z A-Z");
  const { id } = await untilAsked();
  writeFileSync(notes, "two");
  await allow(id);
  await untilSaid("RAN");
  expect(await pending()).toEqual([]);
});

test("D3: toctou: a command starts in the directory that the person was shown, wherever earlier commands ended", async () => {
  using disk = createTestDisk();
  using made = createRoot();
  const { house, untilAsked, allow, untilSaid } = await open(disk, made.root);
  await using _ = house;
  await house.post("mkdir sub && cd sub && echo moved");
  const first = await untilAsked();
  await allow(first.id);
  await untilSaid("now in ");
  await house.post("touch here; echo fin | tr a-z A-Z");
  const second = await untilAsked((id) => id === first.id);
  expect(second.display).toEndWith("in the root folder of its workspace");
  await allow(second.id);
  await untilSaid("FIN");
  expect(existsSync(join(made.root, "main/workspace/here"))).toBe(true);
  expect(existsSync(join(made.root, "main/workspace/sub/here"))).toBe(false);
});
