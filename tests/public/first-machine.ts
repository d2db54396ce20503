/**
 * Runs in the network namespace of the machine of a house: starts it, lets a second machine use it,
 * and prints what it saw.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTestCertificates } from "@hearth/warden/certificates";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import type { Visit } from "./second-machine.ts";

/** The address of this machine, and the name of the other machine's namespace. */
const [address = "", space = ""] = process.argv.slice(2);

const see = async () => {
  using home = createHome();
  const files = createTestCertificates(home.folder);
  await files.renew(address);
  writeFileSync(
    join(home.folder, "hearth.toml"),
    `version = 1\n[server]\nhost = "${address}"\ntls_cert = "fullchain.pem"\ntls_key = "privkey.pem"\n`,
  );
  await using daemon = await startDaemon(home.folder);
  const { json: link } = await daemon.ask("POST", "/api/login-links", {});
  const { origin, port, protocol, hostname } = new URL(link.publicUrl);
  const [{ id: room }] = (await daemon.ask("GET", "/api/rooms")).json;
  const visit: Visit = {
    place: { address, port: Number(port), ca: await files.authority(), name: address },
    ...{ loginLink: link.publicUrl, room, house: address, localPort: Number(new URL(daemon.url).port) },
  };
  const program = fileURLToPath(new URL("second-machine.ts", import.meta.url));
  const far = Bun.spawn(["ip", "netns", "exec", space, process.execPath, program, JSON.stringify(visit)], {
    ...{ stdin: "ignore", stdout: "pipe", stderr: "inherit" },
  });
  const seen = JSON.parse(await new Response(far.stdout).text());
  const wrong = await fetch(`${daemon.url}/api/me`, { headers: { authorization: "Bearer hearth_wrong" } });
  return {
    link: `${protocol}//${hostname}`,
    seen,
    wrongKeyHere: wrong.status,
    rightKeyHere: (await daemon.ask("GET", "/api/me")).status,
    doctorNamesIt: (await daemon.hearth("doctor")).stdout.includes(origin),
    localUrlIsKept: readFileSync(join(home.folder, "run/url"), "utf8").trim() === daemon.url,
  };
};

console.log(JSON.stringify(await see()));
process.exit(0);
