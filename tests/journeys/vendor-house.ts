/** A house that uses the key of a vendor, and the commands that store the key. */
import { afterAll, beforeAll, beforeEach, expect } from "bun:test";
import { type Daemon, LAUNCHER } from "./daemon.ts";
import { readHome } from "./home-files.ts";

export const VALUE = "sk_of+a/vendor=0123456789";

export const OTHER = "sk_of+another/0123456789";

/** A vendor that accepts one key, and repeats every other key in its error. */
export interface Vendor {
  key: string;
  url(): URL;
}

/** Runs the vendor while the tests of a file run. Each test begins with the first key. */
export const useVendor = (): Vendor => {
  let server: ReturnType<typeof Bun.serve> | undefined;
  const vendor: Vendor = {
    key: VALUE,
    url() {
      if (server === undefined) throw new Error("the vendor has not started");
      return server.url;
    },
  };
  beforeAll(() => {
    server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        const sent = request.headers.get("authorization") ?? "";
        if (sent !== `Bearer ${vendor.key}`)
          return Response.json({ error: { message: `Unknown key ${sent}, or ${btoa(sent)}` } }, { status: 401 });
        const said = { choices: [{ index: 0, delta: { content: "Good morning." }, finish_reason: "stop" }] };
        return new Response(`data: ${JSON.stringify(said)}\n\ndata: [DONE]\n\n`, {
          headers: { "content-type": "text/event-stream" },
        });
      },
    });
  });
  afterAll(() => server?.stop(true));
  beforeEach(() => {
    vendor.key = VALUE;
  });
  return vendor;
};

export const configOf = (vendor: Vendor): string =>
  `version = 1\n[providers.mine]\nkind = "openai"\nbase_url = "${vendor.url().origin}/v1"\napi_key = "secret:VENDOR"\n[agents.main]\nmodel = "mine/large"\n`;

/** Runs a command with this stdin, and checks that its output does not contain it. */
export const pipe = async (home: string, text: string, ...words: readonly string[]) => {
  const child = Bun.spawn([LAUNCHER, ...words, "--home", home], {
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: "/nonexistent" },
    stdin: new TextEncoder().encode(text),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect(stdout + stderr).not.toContain(text.trim());
  return { code: await child.exited, stdout, stderr };
};

/** Files of a home that contain a value: plain, in hex, or in base64 at any alignment. */
export const holdersOf = async (folder: string, value: string): Promise<readonly string[]> => {
  const forms = [
    ...[value, Buffer.from(value).toString("hex")],
    ...["", "x", "xy"].map((before) => btoa(before + value).slice(4, -4)),
  ];
  const files = await readHome(folder);
  return [...files].filter(([, bytes]) => forms.some((form) => bytes.includes(form))).map(([path]) => path);
};

export const grantVendor = async (house: Daemon, vendor: Vendor): Promise<void> => {
  const words = ["--providers", "--host", "127.0.0.1", "--port", vendor.url().port, "--plain"];
  expect((await house.hearth("secret", "grant", "VENDOR", ...words)).code).toBe(0);
};

/** The agent's answer, or the error. */
export const greet = async (house: Daemon): Promise<string> => {
  const { stdout, stderr } = await house.hearth("chat", "-m", "hello");
  for (const value of [VALUE, OTHER]) expect(stdout + stderr).not.toContain(value);
  return stdout + stderr;
};
