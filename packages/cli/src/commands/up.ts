/** `hearth up`: runs the daemon of a home in this process until it is stopped. */
import type { LoginLink } from "@hearth/protocol";
import type { RunningHouse } from "@hearth/warden/bun";
import { type Context, defineCommand, type PrintContext } from "../command.ts";
import { ownFolders } from "../compiled/compiled.ts";
import { recompileIfStale } from "../compiled/keep.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeText } from "../show/safe-text.ts";

export const up = defineCommand({
  summary: "Starts the house",
  needs: "access to this machine",
  flags: {
    port: {
      kind: "number",
      value: "N",
      min: 0,
      max: 65_535,
      summary: "listen on this port instead of the config's; 0 picks a free port",
    },
    host: { kind: "text", value: "H", summary: "listen on this address instead of the config's" },
    open: { kind: "switch", summary: "open the login link in a browser" },
    supervised: {
      kind: "switch",
      summary: "run under a service manager: print no login link, and report to it when the house is ready and alive",
    },
  },
  details: [
    "Prints `ready URL` when the house accepts requests, then a single-use link that logs a browser in.",
    "Ctrl-C shuts down gracefully; running turns continue at the next start. A second Ctrl-C ends the process at once.",
  ].join("\n"),
  examples: ["hearth up", "hearth up --open", "hearth up --home ~/work-house --port 18800"],
  async run({ home, json, output, terminal }, { port, host, open, supervised }) {
    // Handles signals before the house starts, so that an interrupt during the start also shuts
    // down gracefully.
    const stopRequested = Promise.withResolvers<void>();
    const shutdownController = new AbortController();
    let interruptCount = 0;
    const removeInterrupt = terminal.onInterrupt(() => {
      interruptCount += 1;
      if (interruptCount > 1) terminal.exit(exitCodes.failed);
      stopRequested.resolve();
    });
    try {
      const { startHouse } = await import("@hearth/warden/bun");
      const start = (startPort: number | undefined): Promise<RunningHouse> =>
        startHouse({
          home,
          ...(startPort === undefined ? {} : { port: startPort }),
          ...(host === undefined ? {} : { host }),
          announce: (text) => output.note(safeText(text)),
          ...(terminal.stdinIsTerminal ? { askPassphrase: terminal.readSecret } : {}),
        });
      let house = await start(port);
      const notifier = supervised ? await openNotifier(house.url, terminal, shutdownController.signal) : undefined;
      // Prints no login link under a service manager, because other users may read its log.
      const printAddresses = (): void =>
        showAddresses(house, supervised ? undefined : house.loginLink, { json, output });
      printAddresses();
      notifier?.ready(`Accepting requests at ${house.publicUrl ?? house.url}`);
      if (open) openBrowser(house.loginLink.url, output);
      recompileIfStale(ownFolders, terminal.sleep, shutdownController.signal).catch(reportError);
      while ((await Promise.race([stopRequested.promise, house.ended])) === "restart") {
        // Browsers of a house on any free port find it again.
        house = await start(port === 0 ? Number(new URL(house.url).port) : port);
        printAddresses();
      }
      notifier?.stopping();
      await house.stop();
      return exitCodes.done;
    } finally {
      shutdownController.abort();
      removeInterrupt();
    }
  },
});

const showAddresses = (
  { url, publicUrl }: Pick<RunningHouse, "url" | "publicUrl">,
  loginLink: LoginLink | undefined,
  { json, output }: PrintContext,
): void => {
  if (json) {
    const publicFields = publicUrl === undefined ? {} : { publicUrl, publicLoginLink: loginLink?.publicUrl };
    output.json({ url, ...publicFields, loginLink: loginLink?.url, pid: process.pid });
    return;
  }
  output.line(`ready ${url}`);
  if (publicUrl !== undefined) output.line(`ready for other machines ${publicUrl}`);
  if (loginLink === undefined) return;
  output.line(`log in: ${loginLink.url}`);
  if (loginLink.publicUrl !== undefined) output.line(`or, from another machine: ${loginLink.publicUrl}`);
};

/** Returns undefined when no service manager listens. */
const openNotifier = async (url: string, { env, fetch, sleep }: Context["terminal"], signal: AbortSignal) => {
  const { openInitNotifier } = await import("../init/notify.ts");
  return openInitNotifier({
    env,
    sleep,
    signal,
    // Any answer shows that the house works, even the answer that it is not ready.
    answers: (limit) => fetch(new URL("/readyz", url), { signal: limit }).then(() => true),
  });
};

const openBrowser = (url: string, output: Context["output"]): void => {
  const command = process.platform === "darwin" ? "open" : "xdg-open";
  if (Bun.which(command) === null) {
    output.note(`Cannot open a browser: ${command} is not installed. Open the link above in a browser.`);
    return;
  }
  Bun.spawn([command, url], { stdin: "ignore", stdout: "ignore", stderr: "ignore" }).unref();
};
