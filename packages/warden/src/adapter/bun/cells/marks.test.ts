import { expect, test } from "bun:test";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FIRST_MARK } from "../../../cells/mark.ts";
import { isAlive } from "../../../fixtures/processes.ts";
import { createCellMarks } from "./marks.ts";

const PATH = "/usr/bin:/bin";
const isHere = process.platform === "linux" && Bun.which("prlimit", { PATH }) !== null;

/** One that has a mark, and nothing else by which anyone would know it. It tells when it has. */
const startMarked = async (mark: number) => {
  const command = ["prlimit", `--rttime=${mark}:${mark}`, "sh", "-c", "echo marked; exec sleep 600"];
  const child = Bun.spawn(command, { env: { PATH }, stdio: ["ignore", "pipe", "ignore"] });
  await child.stdout.getReader().read();
  return child;
};

test.skipIf(!isHere)(
  "what a house that is gone has left is ended by the next one, and what is another one's is not",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "hearth-marks-"));
    const gone = Bun.spawn(["true"]);
    await gone.exited;
    const [left, other] = [FIRST_MARK + 1, FIRST_MARK + 2];
    const children = await Promise.all([left, other].map(startMarked));
    try {
      mkdirSync(join(folder, "marks"));
      for (const name of [`${gone.pid}-${left}`, `${process.pid}-${other}`])
        writeFileSync(join(folder, "marks", name), "");
      const marks = createCellMarks({ clock: createBunClock(), folder: join(folder, "marks") });
      const mark = await marks.take();
      expect(children.map(({ pid }) => isAlive(pid))).toEqual([false, true]);
      expect(readdirSync(join(folder, "marks")).sort()).toEqual(
        [`${process.pid}-${other}`, `${process.pid}-${mark}`].sort(),
      );
      await marks.end(mark, []);
      await marks.end(other, []);
      expect(isAlive(children[1]?.pid ?? 0)).toBe(false);
      expect(readdirSync(join(folder, "marks"))).toEqual([]);
    } finally {
      for (const child of children) child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
