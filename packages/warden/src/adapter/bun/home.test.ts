import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHome } from "./home.ts";

const within = (work: (home: string) => void): void => {
  const home = mkdtempSync(join(tmpdir(), "hearth-home-"));
  try {
    work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};

/** Another process tries to open the home. Returns its error's code, or "opened". */
const tryElsewhere = (home: string): string => {
  const script = `import { openHome } from ${JSON.stringify(join(import.meta.dir, "home.ts"))};
    try { openHome(process.argv[1]); console.log("opened"); } catch (error) { console.log(error.code); }`;
  return Bun.spawnSync([process.execPath, "--no-install", "-e", script, home]).stdout.toString().trim();
};

test("a lock file with garbage is usable when no process holds it", () =>
  within((home) => {
    writeFileSync(join(home, "hearth.toml"), "");
    mkdirSync(join(home, "run"));
    writeFileSync(join(home, "run/lock"), "garbage ".repeat(1000));
    const held = openHome(home);
    expect(tryElsewhere(home)).toBe("home.in-use");
    held.release();
    expect(tryElsewhere(home)).toBe("opened");
  }));

test("a held lock stays held when garbage is written into its file", () =>
  within((home) => {
    writeFileSync(join(home, "hearth.toml"), "");
    const held = openHome(home);
    // In another process: this one would release its lock when it closes the file.
    Bun.spawnSync(["/bin/sh", "-c", 'yes garbage | head -c 8000 >"$1"', "sh", join(home, "run/lock")]);
    expect(tryElsewhere(home)).toBe("home.in-use");
    held.release();
  }));

test("a lock file that cannot be opened is not reported as another Hearth", () =>
  within((home) => {
    writeFileSync(join(home, "hearth.toml"), "");
    mkdirSync(join(home, "run/lock"), { recursive: true });
    expect(() => openHome(home)).toThrow("run/lock could not be opened");
  }));
