/** Network access of real programs in a real cell of a real daemon, to a server on this machine. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Daemon, type Json, startDaemon } from "./daemon.ts";
import { configFor, createModel, type Model } from "./model.ts";
import { startCounter, startUpstream } from "./upstream.ts";

const has = (...programs: readonly string[]): boolean => programs.every((program) => Bun.which(program) !== null);
const LIMIT_MS = 300_000;

/**
 * A house whose `main` runs these commands, one per turn, and may reach granted ports of this
 * machine.
 */
const open = async (home: string, model: Model, env: Readonly<Record<string, string>> = {}): Promise<Daemon> => {
  const config = `${configFor(model.baseUrl)}tools = ["shell"]\n[egress]\nloopback = true\n`;
  writeFileSync(join(home, "hearth.toml"), config);
  return startDaemon(home, { TEST_KEY: "key", ...env });
};
const grant = async (house: Daemon, egress: readonly Json[]): Promise<void> => {
  expect((await house.ask("PATCH", "/api/agents/main", { content: { egress } })).status).toBe(200);
};

/** The command's output as the model gets it, and the turn's ledger. */
const turn = async (
  house: Daemon,
  model: Model,
  command: string,
): Promise<{ readonly said: string; readonly lines: readonly Json[] }> => {
  let said = "";
  model.answer = (request) => {
    const last = request.messages.at(-1);
    if (last.role !== "tool") return [{ tool: "shell", input: { command, timeoutSeconds: 100 } }];
    said = last.content;
    return ["done"];
  };
  expect((await house.hearth("chat", "main", "-m", "go")).code).toBe(0);
  const [{ id }] = JSON.parse((await house.hearth("activation", "list", "main", "--limit", "1", "--json")).stdout);
  return { said, lines: JSON.parse((await house.hearth("activation", "egress", id, "--json")).stdout) };
};

test.skipIf(!has("curl"))(
  "curl reaches only granted hosts, and the ledger counts the requests that the server counts",
  async () => {
    using home = createHome();
    await using model = createModel();
    await using counter = await startCounter("x".repeat(50_000));
    await using house = await open(home.folder, model);
    const url = `http://127.0.0.1:${counter.port}`;
    await grant(house, [{ host: "127.0.0.1", port: counter.port, methods: ["GET", "POST"], path: "/v1" }]);
    const { said, lines } = await turn(
      house,
      model,
      [
        `curl -sS ${url}/v1/a | wc -c`,
        `head -c 30000 /dev/zero | curl -sS --data-binary @- ${url}/v1/b | wc -c`,
        `curl -sS ${url}/v2`,
        `curl -sS -X DELETE ${url}/v1`,
        "curl -sS http://169.254.169.254/latest/meta-data/",
        "curl -sS https://example.com/",
      ].join("; "),
    );
    expect(said.match(/^\s*50000$/gm)?.length).toBe(2);
    expect(said).toContain(`Hearth: This agent's grants for 127.0.0.1:${counter.port} do not allow GET /v2.`);
    expect(said).toContain(`do not allow DELETE /v1.`);
    expect(said).toContain("Hearth: This agent has no grant for 169.254.169.254:80.");
    expect(said).toContain("Hearth: This agent has no grant for example.com:443.");
    expect(lines.map(({ method, path, outcome }) => [method, path, outcome])).toEqual([
      ["GET", "/v1/a", "allowed"],
      ["POST", "/v1/b", "allowed"],
      ["GET", "/v2", "refused"],
      ["DELETE", "/v1", "refused"],
      ["GET", "/latest/meta-data/", "refused"],
      ["GET", "/", "refused"],
    ]);
    const sum = (name: string): number => lines.reduce((all, line) => all + line[name], 0);
    expect([sum("sentBytes"), sum("receivedBytes")]).toEqual([counter.counts.received, counter.counts.sent]);
    expect(statSync(join(home.folder, "egress/authority.key")).mode & 0o777).toBe(0o600);
  },
  LIMIT_MS,
);

test.skipIf(!has("openssl", "curl"))(
  "TLS is intercepted: curl trusts the house's certificate, and the house verifies the certificate of the host",
  async () => {
    using home = createHome();
    await using model = createModel();
    await using upstream = startUpstream();
    const url = `https://127.0.0.1:${upstream.port}`;
    const grants = [{ host: "127.0.0.1", port: upstream.port, methods: ["GET"] }];
    const command = `curl -sS ${url}/page; curl -sS -X POST ${url}/page`;
    {
      await using house = await open(home.folder, model);
      await grant(house, grants);
      const { said, lines } = await turn(house, model, command);
      expect(said).toContain("Hearth: 127.0.0.1 could not be reached: DEPTH_ZERO_SELF_SIGNED_CERT.");
      expect(lines[0]).toMatchObject({ outcome: "failed", sentBytes: 0 });
    }
    await using house = await open(home.folder, model, { NODE_EXTRA_CA_CERTS: upstream.certificate });
    const { said, lines } = await turn(house, model, command);
    expect(said).toContain("a page from afar");
    expect(said).toContain("do not allow POST /page.");
    expect(lines.map(({ method, path, outcome }) => [method, path, outcome])).toEqual([
      ["GET", "/page", "allowed"],
      ["POST", "/page", "refused"],
    ]);
    expect(upstream.seen.map(({ line }) => line)).toEqual(["GET /page"]);
  },
  LIMIT_MS,
);

test.skipIf(!has("openssl", "curl"))(
  "a secret is inserted outside the cell and never reaches it, not even when its host returns it",
  async () => {
    const canary = "canary-4f1d90c2b7";
    using home = createHome();
    await using model = createModel();
    await using upstream = startUpstream();
    await using house = await open(home.folder, model, { NODE_EXTRA_CA_CERTS: upstream.certificate });
    const { port } = upstream;
    await grant(house, [{ host: "127.0.0.1", port }]);
    const { json: agent } = await house.ask("GET", "/api/agents/main");
    const secrets = `/api/houses/${agent.house}/secrets`;
    expect((await house.ask("POST", secrets, { name: "TOKEN", value: canary })).status).toBe(201);
    const terms = { agent: agent.id, host: "127.0.0.1", port, as: "bearer" };
    expect((await house.ask("POST", `${secrets}/TOKEN/grants`, terms)).status).toBe(201);
    const url = `https://127.0.0.1:${port}/echo`;
    const { said, lines } = await turn(
      house,
      model,
      `env; curl -sS -H 'Authorization: Basic mine' ${url}; curl -sS ${url} | base64`,
    );
    expect(upstream.seen.map(({ authorization }) => authorization)).toEqual([`Bearer ${canary}`, `Bearer ${canary}`]);
    expect(said).toContain("you said Bearer [secret TOKEN]");
    expect(lines.map((line) => line.secrets)).toEqual([["TOKEN"], ["TOKEN"]]);
    expect(JSON.stringify([model.requests, lines])).not.toContain(canary);
  },
  LIMIT_MS,
);

/** Programs that fetch something and print it. */
const programs = {
  git: {
    needs: ["git"],
    command: (url: string) => `git clone -q ${url}/repository.git clone && cat clone/README`,
    says: "from a repository",
    asks: "/repository.git/info/refs",
  },
  pip: {
    needs: ["python3"],
    command: (url: string) =>
      `python3 -m pip install -q --disable-pip-version-check --no-cache-dir --index-url ${url}/simple/ --target wheels from-afar && PYTHONPATH=wheels python3 -c 'import from_afar; print(from_afar.said)'`,
    says: "from an index",
    asks: "/wheels/from_afar-1.0-py3-none-any.whl",
  },
} as const;

const hasPip =
  has("python3") &&
  Bun.spawnSync(["/usr/bin/env", "python3", "-m", "pip", "--version"], {
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
  }).exitCode === 0;

for (const [name, { needs, command, says, asks }] of Object.entries(programs))
  test.skipIf(!has("openssl", ...needs) || (name === "pip" && !hasPip))(
    `${name} works as it is, with nothing set by hand`,
    async () => {
      using home = createHome();
      await using model = createModel();
      await using upstream = startUpstream();
      await using house = await open(home.folder, model, { NODE_EXTRA_CA_CERTS: upstream.certificate });
      await grant(house, [{ host: "127.0.0.1", port: upstream.port, methods: ["GET"] }]);
      const { said, lines } = await turn(house, model, command(`https://127.0.0.1:${upstream.port}`));
      expect(said).toContain(says);
      expect(lines).toContainEqual(expect.objectContaining({ path: asks, outcome: "allowed" }));
      expect(lines.every(({ outcome }) => outcome === "allowed")).toBe(true);
      expect(existsSync(join(home.folder, "egress/authority.key"))).toBe(true);
      // The cell has the certificate, and never the signing key.
      const key = readFileSync(join(home.folder, "egress/authority.key"), "utf8").split("\n")[1] ?? "";
      expect(JSON.stringify(model.requests).includes(key)).toBe(false);
    },
    LIMIT_MS,
  );
