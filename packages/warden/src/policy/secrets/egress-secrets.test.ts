import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createEgressSecrets } from "../../cells/egress/egress-secrets.ts";
import { createMemoryVault } from "./memory.ts";
import { createRedaction } from "./redaction.ts";

const VALUE = "tok_0123456789";

test("answers pass unchanged while no secret is granted; after the first grant all answers are scanned", async () => {
  const world = createFakeWorld(createBunWorld());
  const [house, agent, other] = [world.ids.fresh("house"), world.ids.fresh("agent"), world.ids.fresh("agent")];
  const vault = createMemoryVault({ world, records: { find: async () => ({ house }) } });
  const redaction = createRedaction();
  const secrets = createEgressSecrets(vault, redaction);
  const wanted = { scheme: "https", host: "api.example.org", port: 443, method: "GET", path: "/" } as const;

  await vault.set(house, { name: "ONE", value: VALUE }, agent);
  redaction.learn(house, "ONE", VALUE);
  expect([await secrets.injectionsFor(agent, wanted), await secrets.redactorFor(agent)]).toEqual([[], undefined]);

  await vault.grant(house, "ONE", { agent, host: "api.example.org", as: "bearer" }, agent);
  expect(await secrets.injectionsFor(agent, wanted)).toEqual([
    { secret: "ONE", header: "Authorization", value: `Bearer ${VALUE}` },
  ]);
  expect(await secrets.injectionsFor(other, wanted)).toEqual([]);
  const redactor = (await secrets.redactorFor(other))?.();
  const encode = (text: string) => new TextEncoder().encode(text);
  const pieces = [
    redactor?.push(encode(`you sent ${VALUE.slice(0, 5)}`)),
    redactor?.push(encode(VALUE.slice(5))),
    redactor?.end(),
  ];
  expect(pieces.map((piece) => new TextDecoder().decode(piece)).join("")).toBe("you sent [secret ONE]");
});
