import { expect, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBunBrainDisk } from "./brain-disk.ts";

test("a copy has the present state of the named files, and otherwise only the mount point of a workspace", async () => {
  const root = mkdtempSync(join(tmpdir(), "hearth-brains-"));
  try {
    const disk = createBunBrainDisk(root);
    const copy = () => disk.copy("main", ["SOUL.md", "skills", "instructions"], "main/.persona");
    await disk.write("main/SOUL.md", "kind");
    await disk.write("main/USER.md", "private");
    await disk.write("main/skills/cook/SKILL.md", "how to");
    symlinkSync("/etc/passwd", join(root, "main/skills/link"));
    await copy();
    mkdirSync(join(root, "main/.persona/workspace"));
    writeFileSync(join(root, "main/.persona/stray"), "stray");
    const place = statSync(join(root, "main/.persona/workspace")).ino;
    await disk.write("main/SOUL.md", "kinder");
    rmSync(join(root, "main/skills/cook"), { recursive: true });
    await disk.write("main/skills/sew/SKILL.md", "new");
    await copy();
    expect(readdirSync(join(root, "main/.persona")).sort()).toEqual(["SOUL.md", "skills", "workspace"]);
    expect(readFileSync(join(root, "main/.persona/SOUL.md"), "utf8")).toBe("kinder");
    expect(readdirSync(join(root, "main/.persona/skills")).sort()).toEqual(["link", "sew"]);
    // Copied as a link: it leads nowhere inside the copy.
    expect(readlinkSync(join(root, "main/.persona/skills/link"))).toBe("/etc/passwd");
    expect(statSync(join(root, "main/.persona/workspace")).ino).toBe(place);
    rmSync(join(root, "main/skills"), { recursive: true });
    await copy();
    expect(readdirSync(join(root, "main/.persona")).sort()).toEqual(["SOUL.md", "workspace"]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test("creating a folder follows no link and creates nothing behind one", async () => {
  const root = mkdtempSync(join(tmpdir(), "hearth-brains-"));
  try {
    const disk = createBunBrainDisk(root);
    await disk.makeFolder("main/workspace");
    mkdirSync(join(root, "elsewhere/rooms"), { recursive: true });
    symlinkSync(join(root, "elsewhere/rooms"), join(root, "main/workspace/rooms"));
    const error: unknown = await disk.makeFolder("main/workspace/rooms/den").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "brain.path",
      message: expect.stringContaining("a part of the path is a link"),
    });
    expect(readdirSync(join(root, "elsewhere/rooms"))).toEqual([]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
