/**
 * Tests the real npm in a cell, with a registry by name and TLS. It is a unit test and not a
 * journey, because it needs its own resolver to lead a name to the test's server.
 */
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDisk, openTestHouse } from "../../../fixtures/house.ts";
import { createAuthority } from "./authority.ts";
import { createBunNetwork } from "./network.ts";
import { createTls } from "./tls.ts";

const PUBLIC = "93.184.216.34";
const REGISTRY = "registry.example";

test.skipIf(Bun.which("npm") === null || Bun.which("tar") === null)(
  "npm installs from a registry by a name that the cell itself cannot resolve",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "hearth-npm-"));
    const tarball = pack(folder);
    const server = Bun.serve({
      ...{ hostname: "127.0.0.1", port: 0 },
      fetch(request) {
        const { pathname } = new URL(request.url);
        if (pathname === "/from-afar.tgz") return new Response(tarball);
        const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
        const dist = { tarball: `https://${REGISTRY}/from-afar.tgz`, integrity };
        const versions = { "1.0.0": { name: "from-afar", version: "1.0.0", main: "index.js", dist } };
        return Response.json({ name: "from-afar", "dist-tags": { latest: "1.0.0" }, versions });
      },
    });
    const network = createBunNetwork();
    const dialled: unknown[] = [];
    using disk = createTestDisk();
    await using house = await openTestHouse({
      disk,
      config: 'tools = ["shell"]\n',
      script: [
        {
          toolCalls: [
            {
              ...{ id: "call-1", name: "shell" },
              input: {
                command: `npm install --no-audit --no-fund --no-update-notifier --registry https://${REGISTRY}/ from-afar && node -p 'require("from-afar")'`,
              },
            },
          ],
        },
        { text: "done" },
      ],
      egress: {
        resolver: { resolve: async () => [PUBLIC] },
        // The server is behind the address. Other tests verify its certificate against its name.
        network: {
          dial(request, signal) {
            dialled.push(request);
            return network.dial({ address: "127.0.0.1", port: server.port ?? 0 }, signal);
          },
        },
        tls: createTls(createAuthority({ folder: join(folder, "egress"), now: Date.now })),
      },
    });
    await house.ask("PATCH", "/api/agents/main", { content: { egress: [{ host: REGISTRY, methods: ["GET"] }] } });
    await house.post("install it");
    await house.until(2);
    expect(JSON.stringify(house.model.requests.at(-1)?.messages.at(-1))).toContain("from a registry");
    expect(dialled).toContainEqual({ address: PUBLIC, port: 443, tlsHost: REGISTRY });
    const [{ id }] = (await house.ask("GET", "/api/agents/main/activations")).json;
    const { json } = await house.ask("GET", `/api/activations/${id}/egress`);
    expect(json.map(({ path, outcome }: { path: string; outcome: string }) => `${path} ${outcome}`)).toEqual([
      "/from-afar allowed",
      "/from-afar.tgz allowed",
    ]);
    await server.stop(true);
    rmSync(folder, { recursive: true });
  },
  180_000,
);

const pack = (folder: string): Uint8Array<ArrayBuffer> => {
  mkdirSync(join(folder, "package"));
  writeFileSync(
    join(folder, "package/package.json"),
    JSON.stringify({ name: "from-afar", version: "1.0.0", main: "index.js" }),
  );
  writeFileSync(join(folder, "package/index.js"), 'module.exports = "from a registry";\n');
  const { stdout, exitCode } = Bun.spawnSync(["tar", "cz", "-C", folder, "package"]);
  if (exitCode !== 0) throw new Error("tar failed");
  return new Uint8Array(stdout);
};
