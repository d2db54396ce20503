/**
 * A house and a second machine, each in its own network namespace. The link joins only the two: an
 * interface of this machine would make the browsers of other tests end their requests.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { hasSshServer } from "./ssh-server.ts";

/** Names contain the process, so that tests at the same time do not share them. */
const [NEAR, FAR] = [`hearth-near-${process.pid}`, `hearth-far-${process.pid}`];
const [HERE, THERE] = ["10.231.0.1", "10.231.0.2"];

const run = (...words: readonly string[]): boolean =>
  Bun.spawnSync(["ip", ...words], { stdin: "ignore", stdout: "ignore", stderr: "ignore" }).success;

/** Creates both namespaces with a link between them. False: this machine does not allow it. */
const connectMachines = (): boolean =>
  run("netns", "add", NEAR) &&
  run("netns", "add", FAR) &&
  run("-n", NEAR, "link", "add", "near", "type", "veth", "peer", "name", "far", "netns", FAR) &&
  run("-n", NEAR, "link", "set", "lo", "up") &&
  run("-n", NEAR, "addr", "add", `${HERE}/30`, "dev", "near") &&
  run("-n", NEAR, "link", "set", "near", "up") &&
  run("-n", FAR, "link", "set", "lo", "up") &&
  run("-n", FAR, "addr", "add", `${THERE}/30`, "dev", "far") &&
  run("-n", FAR, "link", "set", "far", "up");
/** Ends the link too. */
const disconnectMachines = (): void => {
  run("netns", "del", NEAR);
  run("netns", "del", FAR);
};

const isPossible = process.getuid?.() === 0 && Bun.which("ip") !== null && connectMachines();
if (!isPossible && process.getuid?.() === 0 && Bun.which("ip") !== null) disconnectMachines();
const why = isPossible ? "" : " (needs root, iproute2 and network namespaces)";

/** Runs a program on the machine of the house, and returns what it prints. */
const onNearMachine = async (name: string, ...words: readonly string[]): Promise<unknown> => {
  const program = fileURLToPath(new URL(name, import.meta.url));
  const near = Bun.spawn(["ip", "netns", "exec", NEAR, process.execPath, program, ...words], {
    ...{ stdin: "ignore", stdout: "pipe", stderr: "inherit" },
  });
  return JSON.parse(await new Response(near.stdout).text());
};

describe.skipIf(!isPossible)(`a second machine${why}`, () => {
  afterAll(disconnectMachines);

  test("reaches the house by TLS, and not its local port", async () => {
    expect(await onNearMachine("first-machine.ts", HERE, FAR)).toEqual({
      link: `https://${HERE}`,
      seen: {
        ...{ login: 303, said: 201, localIsOpen: false, statuses: [401, 429] },
        cookie: expect.stringMatching(/^__Host-hearth_session=/),
      },
      // The limit counts the other machine, so this one still gets its own answer.
      ...{ wrongKeyHere: 401, rightKeyHere: 200 },
      ...{ doctorNamesIt: true, localUrlIsKept: true },
    });
  });

  test.skipIf(!hasSshServer)(
    `reaches a house without a public address by a tunnel to its SSH server${hasSshServer ? "" : " (needs openssh-server)"}`,
    async () => {
      expect(await onNearMachine("tunnel-machine.ts", HERE, THERE, FAR)).toEqual({
        opened: 0,
        link: `https://${THERE}:22443`,
        seen: {
          ...{ login: 303, said: 201, localIsOpen: false, statuses: [401, 429] },
          cookie: expect.stringMatching(/^__Host-hearth_session=/),
        },
        doctorNamesIt: true,
      });
    },
  );
});
