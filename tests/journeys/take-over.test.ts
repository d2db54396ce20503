/** A user of another agent takes their agent over into a house: preview, import, import again. */
import { expect, test } from "bun:test";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { writeOpenClawDatabase } from "@hearth/testing/foreign-homes";
import { createHome, type Json, startDaemon } from "./daemon.ts";

const said = (role: string, text: string): string =>
  `${JSON.stringify({ type: "message", message: { role, content: [{ type: "text", text }] } })}\n`;

/** A home of OpenClaw, after its public format. `packages/warden/src/adapter/bun/imports` tests more of it. */
const writeOpenClawHome = async (root: string): Promise<void> => {
  const files = {
    "openclaw.json": '{ /* JSON5 */ channels: { telegram: { botToken: "${TELEGRAM_BOT_TOKEN}" } }, }',
    "workspace/SOUL.md": "You are Molty, a lobster.\n",
    "workspace/memory/2026-05-01.md": "# Friday\n\nThe bike is in the shed.\n",
    "workspace/skills/plants/SKILL.md": "---\nname: plants\ndescription: Waters plants\n---\nWater them.\n",
    "cron/jobs.json": JSON.stringify({
      jobs: [
        { name: "Morning News", schedule: { expr: "0 9 * * *", tz: "UTC" }, payload: { message: "What is new?" } },
        { name: "Tea", enabled: false, schedule: { everyMs: 7_200_000 }, payload: { text: "Drink." } },
      ],
    }),
    "agents/main/sessions/4f2a.jsonl":
      said("user", "Where is the kayak?") + said("assistant", "The kayak is at the lake."),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
};

test("a home of OpenClaw is previewed, imported once, and its conversations are found", async () => {
  using home = createHome();
  const source = await mkdtemp(join(tmpdir(), "hearth-openclaw-"));
  try {
    await writeOpenClawHome(source);
    await using house = await startDaemon(home.folder);
    const run = async (...flags: readonly string[]) => {
      const { code, stdout, stderr } = await house.hearth("import", "openclaw", source, "--json", ...flags);
      expect([code, stderr]).toEqual([0, ""]);
      return JSON.parse(stdout) as Json[];
    };
    const fatesOf = (rows: readonly Json[]) => Object.groupBy(rows, ({ fate }) => fate);
    const soul = join(home.folder, "brains/main/SOUL.md");
    // The house creates the brain's files at the first access.
    const before = (await house.ask("GET", "/api/agents/main/brain/file?path=SOUL.md")).json.text;

    const preview = await run();
    expect(preview.find(({ to }) => to === "SOUL.md")).toMatchObject({ fate: "replaces" });
    expect(preview.find(({ to }) => to === "job morning-news")).toMatchObject({ fate: "new" });
    expect(await readFile(soul, "utf8")).toBe(before);

    const taken = await run("--apply");
    expect(fatesOf(taken)["failed"]).toBeUndefined();
    expect(await readFile(soul, "utf8")).toBe("You are Molty, a lobster.\n");
    expect((await house.hearth("brain", "log", "main")).stdout).toContain("SOUL.md");
    const { jobs } = JSON.parse((await house.hearth("job", "list", "main", "--json")).stdout);
    expect(jobs).toMatchObject([
      { name: "morning-news", status: "active" },
      { name: "tea", status: "paused" },
    ]);
    expect((await house.hearth("memory", "search", "where is the kayak?")).stdout).toContain(
      "The kayak is at the lake.",
    );
    const page = "memory%2Fimported%2Fopenclaw%2Fmain-4f2a.md";
    const { spans } = (await house.ask("GET", `/api/agents/main/brain/file?path=${page}`)).json;
    expect(spans).toHaveLength(3);
    for (const { label } of spans)
      expect(label).toMatchObject({ integrity: "untrusted", sources: ["import agents/main/sessions/4f2a.jsonl"] });
    expect((await house.ask("GET", "/api/channels")).json).toMatchObject([{ name: "telegram", agent: "main" }]);
    expect(await readFile(join(home.folder, "hearth.toml"), "utf8")).toContain("env:TELEGRAM_BOT_TOKEN");

    const again = fatesOf(await run("--apply"));
    expect([again["new"], again["replaces"]]).toEqual([undefined, undefined]);
    expect(again["same"]).toHaveLength(7);

    // The other agent was updated, and moved its conversations to a database.
    await writeOpenClawDatabase(source);
    expect(fatesOf(await run("--apply"))["failed"]).toBeUndefined();
    expect((await house.hearth("memory", "search", "where is the tent?")).stdout).toContain(
      "The tent is in the attic.",
    );
  } finally {
    await rm(source, { recursive: true, force: true });
  }
});

test("a folder that does not exist is reported, and nothing is asked of the house", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  const nowhere = join(home.folder, "nowhere");
  for (const kind of ["openclaw", "hermes", "claude-code"]) {
    const { code, stderr } = await house.hearth("import", kind, nowhere);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`There is no folder ${nowhere}.`)]);
  }
});
