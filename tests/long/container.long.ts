/**
 * Runs the container image of a release with rootless Podman, by the commands of docs/operations.md as
 * printed. Started by root, it needs a user with subordinate ids: apt-get install uidmap, then useradd.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "@hearth/protocol/until";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PAGE = readFileSync(join(ROOT, "docs/operations.md"), "utf8");
const HERE = process.arch === "arm64" ? "linux-arm64" : "linux-x64";
const BUILD_MS = 600_000;

interface Person {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The user that runs the containers, or the reason why none can. */
const findPerson = (): Person | string => {
  for (const program of ["podman", "newuidmap", "setpriv", "skopeo", "umoci", "bwrap"]) {
    if (Bun.which(program) === null) return `needs ${program}`;
  }
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const own = process.getuid?.() ?? 0;
  for (const line of readFileSync("/etc/subuid", "utf8").split("\n")) {
    const [name = ""] = line.split(":");
    const [, , uid, gid] = users.find(([known]) => known === name) ?? [];
    if (uid === undefined || uid === "0" || (own !== 0 && Number(uid) !== own)) continue;
    return { name, uid: Number(uid), gid: Number(gid) };
  }
  return "needs a user with subordinate ids in /etc/subuid";
};

const person = findPerson();
if (typeof person === "string") test.skip(`the container image: ${person}`, () => undefined);
const testHere = typeof person === "string" ? test.skip : test;

let folder: string;
let archive: string;
let version: string;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const run = async (command: readonly string[], cwd = ROOT, env: Record<string, string> = {}): Promise<Ended> => {
  const child = Bun.spawn([...command], {
    cwd,
    env: Object.assign({}, process.env, env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, stdout, stderr };
};

/** Runs a line of a shell as the user without rights, with a storage for these tests alone. */
const runLine = (line: string): Promise<Ended> => {
  if (typeof person === "string") throw new Error(person);
  const become =
    process.getuid?.() === 0 ? ["setpriv", `--reuid=${person.uid}`, `--regid=${person.gid}`, "--init-groups"] : [];
  const env = { HOME: join(folder, "home"), XDG_RUNTIME_DIR: join(folder, "run"), USER: person.name };
  const set = Object.entries(Object.assign(env, { PATH: process.env["PATH"] ?? "" })).map(
    ([name, value]) => `${name}=${value}`,
  );
  return run([...become, "env", "-i", ...set, "sh", "-c", line], join(folder, "home"));
};

/** Runs a line, and throws with its output if it fails. */
const must = async (line: string): Promise<string> => {
  const { code, stdout, stderr } = await runLine(line);
  if (code !== 0) throw new Error(`${line}\nended with ${code}: ${stdout}${stderr}`);
  return stdout;
};

beforeAll(async () => {
  if (typeof person === "string") return;
  folder = mkdtempSync(join(tmpdir(), "hearth-container-test-"));
  chmodSync(folder, 0o755);
  for (const name of ["home", "home/.config", "home/.config/containers", "run"]) {
    mkdirSync(join(folder, name), { mode: 0o700 });
    chownSync(join(folder, name), person.uid, person.gid);
  }
  const built = await run(["sh", "scripts/release.sh", "--to", join(folder, "home/release"), "--platform", HERE]);
  if (built.code !== 0) throw new Error(`the release failed: ${built.stderr}`);
  archive = readdirSync(join(folder, "home/release")).find((name) => name.endsWith(".oci.tar")) ?? "no image";
  version = archive.replace(/^hearth-(.*)-linux-.*$/, "$1");
  await must(`cp release/${archive} . && podman load --quiet --input ${archive}`);
  // crun refuses machines with version 1 and 2 of control groups side by side.
  const tried = await runLine(`podman run --rm --network host localhost/hearth:${version} --version`);
  if (tried.stderr.includes("hybrid mode")) {
    writeFileSync(join(folder, "home/.config/containers/containers.conf"), '[engine]\nruntime = "runc"\n', {
      mode: 0o644,
    });
  }
}, BUILD_MS);

afterAll(async () => {
  if (typeof person === "string") return;
  await runLine("podman system reset --force");
  rmSync(folder, { recursive: true, force: true });
}, BUILD_MS);

afterEach(async () => {
  if (typeof person !== "string") await runLine("podman rm --force --ignore hearth");
}, BUILD_MS);

/** The lines of each code block below a heading. A line that ends with a backslash continues in the next. */
const blocksOf = (heading: string): readonly (readonly string[])[] => {
  const section = PAGE.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^```\n(.*?)^```$/gms)].map(([, block = ""]) =>
    block
      .replaceAll(/\\\n\s*/g, "")
      .split("\n")
      .map((line) => line.replace(/ +#.*$/, "").trim())
      .filter((line) => line !== ""),
  );
};

/** A house in a test takes any port. */
const lineHere = (line: string): string =>
  line
    .replace(/(--detach .*)localhost\/hearth:VERSION$/, "$1localhost/hearth:VERSION up --port 0")
    .replaceAll("hearth-VERSION-linux-x64", `hearth-VERSION-${HERE}`)
    .replaceAll("VERSION", version);

/** The address of the house, once it is ready. */
const urlOf = async (name: string): Promise<string> => {
  let url = "";
  await until(async () => {
    // Other lines of a log may follow, and the log begins with the runs before.
    const { stdout } = await runLine(`podman logs ${name}`);
    url = [...stdout.matchAll(/^ready (\S+)$/gm)].at(-1)?.[1] ?? "";
    // After a restart, the line may still be that of the earlier run, whose address does not answer.
    return (
      url !== "" &&
      (await fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    );
  }, 60_000).catch(async (error: unknown) => {
    const { stdout, stderr } = await runLine(`podman ps --all; podman logs ${name}`);
    throw new Error(`The house did not get ready:\n${stdout}${stderr}`, { cause: error });
  });
  return url;
};

const [install = [], backup = [], upgrade = []] = blocksOf("Container");
/** Everything that a user of the page writes, except how the container is named. */
const start = install.find((line) => line.startsWith("podman run")) ?? "";

testHere(
  "skopeo and umoci accept the image, and its user is not root",
  async () => {
    const inspected = await must(`skopeo inspect --config oci-archive:${archive}`);
    expect(JSON.parse(inspected)).toMatchObject({
      os: "linux",
      config: { User: "1000:1000", Volumes: { "/data": {} }, Entrypoint: ["/opt/hearth/hearth"], Cmd: ["up"] },
    });
    await must(
      `skopeo copy oci-archive:${archive} oci:layout:latest && umoci unpack --rootless --image layout:latest bundle`,
    );
    expect(await must("ls -l bundle/rootfs/usr/bin/awk")).toContain("-> mawk");
    expect(await must("bundle/rootfs/opt/hearth/bin/bun --version")).toContain(Bun.version);
  },
  BUILD_MS,
);

testHere("the image lists its Debian packages with their versions", () => {
  const place = join(folder, "home/release");
  const name = readdirSync(place).find((each) => each.endsWith(".oci.cdx.json")) ?? "";
  const { components } = JSON.parse(readFileSync(join(place, name), "utf8"));
  const installed = String(Bun.spawnSync(["dpkg-query", "-W", "-f=${Version}", "bubblewrap"]).stdout);
  expect(components).toContainEqual(expect.objectContaining({ name: "bubblewrap", version: installed }));
});

testHere(
  "a house runs rootless and read-only by the page's commands: pages, a chat, a command in bubblewrap, a backup, an upgrade",
  async () => {
    expect([install.length, backup.length, upgrade.length]).toEqual([7, 3, 6]);
    for (const line of install.slice(0, 2)) await must(lineHere(line));
    const url = await urlOf("hearth");
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${url}/ui/`)).text()).toContain("<script");
    expect(await must(lineHere(install[2] ?? ""))).toContain(`${url}/login?code=`);
    expect(await must(lineHere(install[3] ?? ""))).toContain(
      "cell bubblewrap: available (container: fs, net, kernel, pids)",
    );
    await must(lineHere(install[4] ?? ""));
    expect(
      await must("podman exec hearth hearth chat main -m 'run id -u; cat /proc/1/cmdline; ls /opt /data'"),
    ).toMatch(/1000[^]*bwrap[^]*'\/opt': No such[^]*'\/data': No such/);
    const inside = "podman exec hearth sh -c 'id -u; grep CapEff /proc/1/status; touch /x 2>&1; echo 1 >/opt/hearth/x'";
    const { stdout } = await runLine(`${inside} 2>&1`);
    expect(stdout).toMatch(/^1000\nCapEff:\s0+\n.*Read-only file system\n.*Read-only file system/);
    for (const line of install.slice(5)) await must(lineHere(line));
    await urlOf("hearth");
    expect(await must("podman inspect hearth --format '{{.State.Status}}'")).toBe("running\n");

    await must("podman exec hearth hearth chat main -m 'remember the key lies under the red pot'");
    expect(await must(lineHere(backup[0] ?? ""))).toContain("complete and verified");
    for (const line of backup.slice(1)) await must(lineHere(line));
    for (const line of upgrade) await must(lineHere(line));
    await must(lineHere(start));
    await urlOf("hearth");
    const asked = "podman exec hearth hearth chat main -m 'what do you know about the key?'";
    expect(await must(asked)).toContain("under the red pot");
    expect(await must("podman stop hearth && podman inspect hearth --format '{{.State.ExitCode}}'")).toContain("\n0\n");
    await must("podman rm hearth");

    await must(lineHere(start.replace("--volume hearth:", "--volume hearth-restored:")));
    await urlOf("hearth");
    expect(await must("podman exec hearth hearth restore show")).toContain("The house is on hold");
  },
  BUILD_MS,
);

testHere(
  "without the flag for /proc, cells of kind landlock run",
  async () => {
    const plain = start
      .replace("--security-opt 'unmask=/proc/*' ", "")
      .replace("--volume hearth:", "--volume hearth-plain:");
    await must(lineHere(plain));
    await urlOf("hearth");
    expect(await must("podman exec hearth hearth doctor")).toMatch(
      /agents in auto: run in landlock[^]*cell bubblewrap: not/,
    );
    expect(await must("podman exec hearth hearth chat main -m 'run echo in a cell'")).toContain("in a cell");
  },
  BUILD_MS,
);
