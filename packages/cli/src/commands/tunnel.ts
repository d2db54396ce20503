/** `hearth tunnel`: opens, shows and closes a tunnel from the internet to this house. */
import { type SetTunnel, type TunnelInfo, tunnelKinds } from "@hearth/protocol";
import { UsageError } from "../args/usage-error.ts";
import { type Context, type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { localTime } from "../show/time.ts";

const NEEDS = "x on the first house";
const kinds = tunnelKinds.filter((kind) => kind !== "command");
/** How long `open` waits for the address. The house continues to try after that. */
const MAX_WAIT_MS = 60_000;
const POLL_INTERVAL_MS = 250;

const printTunnel = ({ json, output }: Context, info: TunnelInfo): void => {
  if (json) output.json(info);
  else if (info.state === "off") output.line("There is no tunnel. Open one: hearth tunnel open KIND");
  else
    output.facts([
      ["state", info.state],
      ["kind", info.kind],
      ["url", info.url],
      ["reaches this house", describeRoute(info)],
      ["error", info.error?.message],
      ["hint", info.error?.hint],
      ["next try", info.nextTryAt === undefined ? undefined : localTime(info.nextTryAt)],
    ]);
};

/** Describes the last check of the address. Returns undefined before the first one. */
const describeRoute = ({ route }: TunnelInfo): string | undefined => {
  if (route === undefined) return undefined;
  const at = localTime(route.checkedAt);
  return route.isReached ? `yes, checked ${at}` : `no, checked ${at}: ${route.problem ?? ""}`;
};

const show = defineCommand({
  summary: "Shows whether the tunnel is open, and its address",
  needs: NEEDS,
  flags: {},
  examples: ["hearth tunnel show", "hearth tunnel show --json"],
  async run(context) {
    printTunnel(context, await (await (await context.connect()).tunnel()).get());
    return exitCodes.done;
  },
});

const open = defineCommand({
  summary: "Opens a tunnel from a public address, and keeps it open",
  needs: NEEDS,
  args: [{ name: "KIND" }],
  flags: {
    to: { kind: "text", value: "USER@HOST", summary: "the SSH server (ssh)" },
    "remote-port": {
      kind: "number",
      value: "PORT",
      min: 1,
      max: 65_535,
      summary: "the port that the SSH server opens (ssh, default: 80)",
    },
    url: { kind: "text", value: "URL", summary: "the public address, if the program does not choose it (ssh, ngrok)" },
    forwarded: {
      kind: "switch",
      summary: "a proxy behind the SSH server reports each client in X-Forwarded-For (ssh)",
    },
  },
  details: [
    `KIND is ${kinds.join(", ")}. The program must be installed and signed in.`,
    "Every person of the house needs a password (hearth person password NAME), a passkey or a linked account first.",
    "The tunnel is written to hearth.toml and opens again at each start. To use another program, edit hearth.toml: docs/operations.md",
  ].join("\n"),
  examples: [
    "hearth tunnel open cloudflared",
    "hearth tunnel open tailscale",
    "hearth tunnel open ssh --to me@server.example --remote-port 8080 --url https://house.example --forwarded",
  ],
  async run(context, { to, "remote-port": remotePort, url, forwarded }, [name = ""]) {
    const { connect, output, terminal } = context;
    const kind = kinds.find((candidate) => candidate === name);
    if (kind === undefined)
      throw new UsageError(`Unknown kind of tunnel: "${name}".`, `There is: ${kinds.join(", ")}.`);
    const change: SetTunnel = {
      kind,
      ...(to === undefined ? {} : { to }),
      ...(remotePort === undefined ? {} : { remotePort }),
      ...(url === undefined ? {} : { url }),
      ...(forwarded ? { forwarded } : {}),
    };
    const tunnel = await (await connect()).tunnel();
    let info = await tunnel.set(change);
    output.note(`Starting ${kind}…`);
    const deadline = terminal.now() + MAX_WAIT_MS;
    while (info.state !== "open" && info.state !== "waiting" && terminal.now() < deadline) {
      await terminal.sleep(POLL_INTERVAL_MS);
      info = await tunnel.get();
    }
    printTunnel(context, info);
    if (info.state === "open") return exitCodes.done;
    output.note("The house keeps trying. To stop that: hearth tunnel close");
    return exitCodes.failed;
  },
});

const close = defineCommand({
  summary: "Closes the tunnel, and removes it from the config file",
  needs: NEEDS,
  flags: {},
  examples: ["hearth tunnel close"],
  async run({ connect, json, output }) {
    await (await (await connect()).tunnel()).remove();
    if (json) output.json({ state: "off" });
    else output.line("closed the tunnel");
    return exitCodes.done;
  },
});

export const tunnel: Group = {
  kind: "group",
  summary: "Opens the house to the internet through a tunnel",
  verbs: { show, open, close },
};
