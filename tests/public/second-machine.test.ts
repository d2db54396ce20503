import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTestCertificates } from "@hearth/warden/certificates";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import type { Visit } from "./second-machine.ts";

/** Names contain the process, so that tests at the same time do not share them. */
const SPACE = `hearth-${process.pid}`;
const [LINK, FAR_LINK] = [`hth${process.pid}`, `htf${process.pid}`];
const NETWORK = `10.231.${(process.pid >> 6) & 255}.${(process.pid & 63) << 2}`;
const at = (number: number): string => NETWORK.replace(/\d+$/, (last) => String(Number(last) + number));
const [HERE, THERE] = [at(1), at(2)];

const run = (...words: readonly string[]): boolean =>
  Bun.spawnSync(["ip", ...words], { stdin: "ignore", stdout: "ignore", stderr: "ignore" }).success;

/** Creates the namespace with a dedicated link. False: this machine does not allow it. */
const connectMachines = (): boolean =>
  run("netns", "add", SPACE) &&
  run("link", "add", LINK, "type", "veth", "peer", "name", FAR_LINK, "netns", SPACE) &&
  run("addr", "add", `${HERE}/30`, "dev", LINK) &&
  run("link", "set", LINK, "up") &&
  run("netns", "exec", SPACE, "ip", "addr", "add", `${THERE}/30`, "dev", FAR_LINK) &&
  run("netns", "exec", SPACE, "ip", "link", "set", FAR_LINK, "up");
const disconnectMachines = (): void => {
  run("link", "del", LINK);
  run("netns", "del", SPACE);
};

const isPossible = process.getuid?.() === 0 && Bun.which("ip") !== null && connectMachines();
if (!isPossible && process.getuid?.() === 0 && Bun.which("ip") !== null) disconnectMachines();
const why = isPossible ? "" : " (needs root, iproute2 and network namespaces)";

describe.skipIf(!isPossible)(`a second machine${why}`, () => {
  afterAll(disconnectMachines);

  test("reaches the house by TLS, and not its local port", async () => {
    using home = createHome();
    const files = createTestCertificates(home.folder);
    await files.renew(HERE);
    writeFileSync(
      join(home.folder, "hearth.toml"),
      `version = 1\n[server]\nhost = "${HERE}"\ntls_cert = "fullchain.pem"\ntls_key = "privkey.pem"\n`,
    );
    await using daemon = await startDaemon(home.folder);
    const { json: link } = await daemon.ask("POST", "/api/login-links", {});
    const { origin, port } = new URL(link.publicUrl);
    expect(origin).toBe(`https://${HERE}:${port}`);
    const [{ id: room }] = (await daemon.ask("GET", "/api/rooms")).json;
    const visit: Visit = {
      place: { address: HERE, port: Number(port), ca: await files.authority(), name: HERE },
      ...{ loginLink: link.publicUrl, room, localPort: Number(new URL(daemon.url).port) },
    };
    const far = Bun.spawn(
      [
        "ip",
        "netns",
        "exec",
        SPACE,
        process.execPath,
        fileURLToPath(new URL("second-machine.ts", import.meta.url)),
        JSON.stringify(visit),
      ],
      { stdin: "ignore", stdout: "pipe", stderr: "inherit" },
    );
    const seen = JSON.parse(await new Response(far.stdout).text());
    expect(seen).toEqual({
      ...{ login: 303, said: 201, localIsOpen: false, statuses: [401, 429] },
      cookie: expect.stringMatching(/^__Host-hearth_session=/),
    });

    // The limit counts the other machine, so this one still gets its own answer.
    const wrong = await fetch(`${daemon.url}/api/me`, { headers: { authorization: "Bearer hearth_wrong" } });
    expect(wrong.status).toBe(401);
    expect((await daemon.ask("GET", "/api/me")).status).toBe(200);
    const doctor = await daemon.hearth("doctor");
    expect(doctor.stdout).toContain(`https://${HERE}:${port}`);
    expect(readFileSync(join(home.folder, "run/url"), "utf8").trim()).toBe(daemon.url);
  });
});
