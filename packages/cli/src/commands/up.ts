/** Starts the daemon of a home in this process and stays until it is stopped. The only command that boots the warden. */
import { type Context, defineCommand } from "../command.ts";
import { ourPlace } from "../compiled/compiled.ts";
import { keepCompiled } from "../compiled/keep.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeText } from "../safe-text.ts";

export const up = defineCommand({
  summary: "Starts the house",
  needs: "nothing but this machine",
  flags: {
    port: {
      kind: "number",
      value: "N",
      min: 0,
      max: 65_535,
      summary: "listen here instead of the config's port; 0: any free one",
    },
    host: { kind: "text", value: "H", summary: "listen on this address instead of the config's" },
    open: { kind: "switch", summary: "open the login link in a browser" },
  },
  details: [
    "Prints `ready URL` when the house accepts work, then a link that logs a browser in, once.",
    "Ctrl-C ends it in good order; what runs is taken up at the next start. A second Ctrl-C ends it at once.",
  ].join("\n"),
  examples: ["hearth up", "hearth up --open", "hearth up --home ~/work-house --port 18800"],
  async run({ home, json, output, terminal }, { port, host, open }) {
    // Listened to before the house starts: an end asked for during the start is an end in good order as well.
    const asked = Promise.withResolvers<void>();
    const ending = new AbortController();
    let count = 0;
    const forget = terminal.onInterrupt(() => {
      count += 1;
      if (count > 1) terminal.exit(exitCodes.failed);
      asked.resolve();
    });
    try {
      const { startHouse } = await import("@hearth/warden/bun");
      const house = await startHouse({
        home,
        ...(port === undefined ? {} : { port }),
        ...(host === undefined ? {} : { host }),
        announce: (text) => output.note(safeText(text)),
        ...(terminal.stdinIsTerminal ? { askPassphrase: terminal.readSecret } : {}),
      });
      if (json) output.json({ url: house.url, loginLink: house.loginLink, pid: process.pid });
      else {
        output.line(`ready ${house.url}`);
        output.line(`log in: ${house.loginLink}`);
      }
      if (open) openBrowser(house.loginLink, output);
      void keepCompiled(ourPlace, terminal.sleep, ending.signal);
      await Promise.race([asked.promise, house.ended]);
      await house.stop();
      return exitCodes.done;
    } finally {
      ending.abort();
      forget();
    }
  },
});

const openBrowser = (url: string, output: Context["output"]): void => {
  const command = process.platform === "darwin" ? "open" : "xdg-open";
  if (Bun.which(command) === null) {
    output.note(`There is no ${command} here to open a browser with; use the link above.`);
    return;
  }
  Bun.spawn([command, url], { stdin: "ignore", stdout: "ignore", stderr: "ignore" }).unref();
};
