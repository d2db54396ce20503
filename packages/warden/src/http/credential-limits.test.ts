/**
 * Every operation that compares a secret with a stored one is limited, per address and, where the
 * caller names an account, per account. A new operation that takes a secret fails without a row.
 */
import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { TOTP } from "otpauth";
import { createBunWorld } from "../adapter/bun/world.ts";
import {
  CODES_AT_PERSON,
  GUESSES_AT_PERSON,
  GUESSES_OF_PEER,
  INVALID_CREDENTIALS_OF_PEER,
} from "../people/credentials/login-attempts.ts";
import type { JsonSchema, OpenApiDocument } from "./docs/open-api.ts";
import { createFakeHouse, type FakeHouse, HOST } from "./fakes/fake-house.ts";

const { hash } = createBunWorld();
const PASSWORD = "correct horse battery";

type Attempt = (house: FakeHouse, address: string, index: number) => Promise<Response>;

interface Limited {
  readonly operation: string;
  /** Attempts from one address before it is limited. */
  readonly perAddress: number;
  /** Attempts at one account, from several addresses. Absent: the secret itself names what it opens. */
  readonly perAccount?: number;
  readonly attempt: Attempt;
}

const send = (
  house: FakeHouse,
  address: string,
  [method, path]: readonly [string, string],
  { body, ...headers }: { readonly body?: unknown; readonly authorization?: string; readonly cookie?: string } = {},
): Promise<Response> => {
  const request = new Request(`http://${HOST}${path}`, {
    method,
    headers: {
      host: HOST,
      // Callers of webhooks are programs, which send no Origin.
      ...(path.startsWith("/hooks/") ? {} : { origin: `http://${HOST}` }),
      "content-type": "application/json",
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return house.http.handle(request, { address });
};

/** An old session of the owner, which proves no fresh login. */
const sessionOf = async ({ options, owner }: FakeHouse): Promise<string> =>
  `hearth_session=${(await options.people.logins.begin(owner.id, { about: "" }))?.cookie}`;

const strays = INVALID_CREDENTIALS_OF_PEER.burst;
const guesses = { perAddress: GUESSES_OF_PEER.burst, perAccount: GUESSES_AT_PERSON.burst } as const;
const codes = { perAddress: GUESSES_OF_PEER.burst, perAccount: CODES_AT_PERSON.burst } as const;

/** Gives the owner a second factor, once. */
const turnOn = async ({ options, owner }: FakeHouse): Promise<void> => {
  const { secondFactors } = options.people;
  if (await secondFactors.isOn(owner.id)) return;
  const { setup, secret } = await secondFactors.begin(owner);
  const code = TOTP.generate({ secret: new TOTP({ secret }).secret, timestamp: options.kernel.world.clock.now() });
  await secondFactors.confirm(owner, { setup, code }, "203.0.113.250");
};

const sendAsOwner = async (
  house: FakeHouse,
  address: string,
  route: readonly [string, string],
  body: unknown,
): Promise<Response> => send(house, address, route, { cookie: await sessionOf(house), body });

const wake =
  (verb: string): Attempt =>
  (house, address) =>
    send(house, address, ["POST", `/v1/stream/__ds/subscriptions/x/${verb}`], {
      authorization: "Bearer wrong",
      body: { wake_id: "w", generation: 1, acks: [] },
    });

const ASSERTION = {
  id: "x",
  rawId: "x",
  type: "public-key",
  response: { clientDataJSON: "x", authenticatorData: "x", signature: "x" },
};

const limited: Readonly<Record<string, Limited>> = {
  "a key": {
    operation: "showMe",
    perAddress: strays,
    attempt: (house, address, index) =>
      send(house, address, ["GET", "/api/me"], { authorization: `Bearer wrong-${index}` }),
  },
  "a session cookie": {
    operation: "showMe",
    perAddress: strays,
    attempt: (house, address, index) =>
      send(house, address, ["GET", "/api/me"], { cookie: `hearth_session=wrong-${index}` }),
  },
  "the code of a login link": {
    operation: "logIn",
    perAddress: strays,
    attempt: (house, address, index) => send(house, address, ["POST", "/login"], { body: { code: `wrong-${index}` } }),
  },
  "a password": {
    operation: "logIn",
    ...guesses,
    attempt: (house, address, index) =>
      send(house, address, ["POST", "/login"], { body: { person: "owner", password: `wrong-${index}` } }),
  },
  "the current password": {
    operation: "setPassword",
    ...guesses,
    attempt: async (house, address, index) => {
      const { people } = house.options;
      if (!(await people.passwords.has(house.owner.id))) await people.passwords.set(house.owner.id, PASSWORD);
      return send(house, address, ["POST", `/api/agents/${house.owner.id}/password`], {
        cookie: await sessionOf(house),
        body: { password: "another password", current: `wrong-${index}` },
      });
    },
  },
  "a password, to confirm a session": {
    operation: "confirmSession",
    ...guesses,
    attempt: async (house, address, index) => {
      const { people } = house.options;
      if (!(await people.passwords.has(house.owner.id))) await people.passwords.set(house.owner.id, PASSWORD);
      return sendAsOwner(house, address, ["POST", "/api/sessions/confirm"], { password: `wrong-${index}` });
    },
  },
  "the code of a login link, to confirm a session": {
    operation: "confirmSession",
    perAddress: strays,
    attempt: (house, address, index) =>
      sendAsOwner(house, address, ["POST", "/api/sessions/confirm"], { link: `wrong-${index}` }),
  },
  "a code, to log in": {
    operation: "logIn",
    ...codes,
    attempt: async (house, address) => {
      await turnOn(house);
      const { next } = house.options.people.secondFactors;
      const step = await next({ agent: house.owner.id, by: "password", proves: false, sameCommit: {} });
      return send(house, address, ["POST", "/login"], { body: { ...step, code: "000000" } });
    },
  },
  "a code, for a login link": {
    operation: "createLoginLink",
    ...codes,
    attempt: async (house, address) => {
      await turnOn(house);
      return sendAsOwner(house, address, ["POST", "/api/login-links"], { code: "000000" });
    },
  },
  "the current password, for a second factor": {
    operation: "beginSecondFactor",
    ...guesses,
    attempt: async (house, address, index) => {
      const { people } = house.options;
      if (!(await people.passwords.has(house.owner.id))) await people.passwords.set(house.owner.id, PASSWORD);
      return sendAsOwner(house, address, ["POST", "/api/second-factor/setup"], { current: `wrong-${index}` });
    },
  },
  "the first code": {
    operation: "confirmSecondFactor",
    ...codes,
    attempt: async (house, address) => {
      const { setup } = await house.options.people.secondFactors.begin(house.owner);
      return sendAsOwner(house, address, ["POST", "/api/second-factor"], { setup, code: "000000" });
    },
  },
  "a code, for recovery codes": {
    operation: "renewRecoveryCodes",
    ...codes,
    attempt: async (house, address) => {
      await turnOn(house);
      return sendAsOwner(house, address, ["POST", "/api/second-factor/recovery-codes"], { code: "000000" });
    },
  },
  "an unknown passkey": {
    operation: "logIn",
    perAddress: strays,
    attempt: (house, address) =>
      send(house, address, ["POST", "/login"], { body: { ticket: "x", passkey: ASSERTION } }),
  },
  "the current password, for a passkey": {
    operation: "beginPasskey",
    ...guesses,
    attempt: async (house, address, index) => {
      const { people } = house.options;
      if (!(await people.passwords.has(house.owner.id))) await people.passwords.set(house.owner.id, PASSWORD);
      return sendAsOwner(house, address, ["POST", "/api/passkeys/setup"], { current: `wrong-${index}` });
    },
  },
  "the current password, to link an account": {
    operation: "linkIdentity",
    ...guesses,
    attempt: async (house, address, index) => {
      const { people } = house.options;
      if (!(await people.passwords.has(house.owner.id))) await people.passwords.set(house.owner.id, PASSWORD);
      return sendAsOwner(house, address, ["POST", "/api/identities/x/link"], { current: `wrong-${index}` });
    },
  },
  "the current password, to unlink an account": {
    operation: "unlinkIdentity",
    ...guesses,
    attempt: async (house, address, index) => {
      const { people } = house.options;
      if (!(await people.passwords.has(house.owner.id))) await people.passwords.set(house.owner.id, PASSWORD);
      const path = `/api/agents/${house.owner.id}/identities/x/unlink`;
      return sendAsOwner(house, address, ["POST", path], { current: `wrong-${index}` });
    },
  },
  "an invite, to see it": {
    operation: "previewInvite",
    perAddress: strays,
    attempt: (house, address, index) =>
      send(house, address, ["POST", "/invite/preview"], { body: { token: `wrong-${index}` } }),
  },
  "an invite, to accept it": {
    operation: "acceptInvite",
    perAddress: strays,
    attempt: (house, address, index) =>
      send(house, address, ["POST", "/invite"], { body: { token: `wrong-${index}`, name: "Ada", password: PASSWORD } }),
  },
  "the signature of a job's webhook": {
    operation: "callJobHook",
    perAddress: strays,
    attempt: (house, address) => send(house, address, ["POST", "/hooks/jobs/x"], { body: {} }),
  },
  "the token of a wake, to report": { operation: "callbackWake", perAddress: strays, attempt: wake("callback") },
  "the token of a wake, to acknowledge": { operation: "ackWake", perAddress: strays, attempt: wake("ack") },
  "the token of a wake, to release": { operation: "releaseWake", perAddress: strays, attempt: wake("release") },
};

/** Operations that take a secret and compare it with none, or are limited otherwise, with the reason. */
const others: Readonly<Record<string, string>> = {
  approvePairing: "five wrong codes a minute for each caller, see house-pairings.test.ts",
  receiveWebhook: "the answer is the same for right and wrong, so that it reveals nothing",
  changeVaultKey: "sets a new passphrase",
  setSecret: "stores a new value",
  rotateSecret: "stores a new value",
  addProvider: "stores a new key",
  replaceProviderKey: "stores a new key",
  setMediaProvider: "stores a new key",
  addChannel: "stores a new token",
  changeChannel: "sends the token to the platform, and stores it",
  testNewProvider: "sends the key to the provider",
  testNewChannel: "sends the token to the platform",
  testNewMediaProvider: "sends the key to the provider",
  challengePasskey: "takes no secret; house-passkeys.test.ts has its limit",
  addPasskey: "the ticket works once, and the answer only for the session that asked for it",
  showLogin: "shows a page and checks nothing",
};

const SECRET = /^(?:password|current|passphrase|secret|token|code|apiKey|signature|value)$/;

/** Operations without a credential that take a body, and those whose input has the name of a secret. */
const operationsWithSecrets = async (): Promise<readonly string[]> => {
  const house = await createFakeHouse(createFakeWorld({ hash }));
  const document = (await (await house.call("/openapi.json")).json()) as OpenApiDocument;
  const namesIn = (schema: JsonSchema): readonly string[] => {
    const reference = schema["$ref"];
    if (typeof reference === "string")
      return namesIn(document.components.schemas[reference.split("/").at(-1) ?? ""] ?? {});
    const choices = (schema["anyOf"] ?? schema["oneOf"] ?? schema["allOf"] ?? []) as readonly JsonSchema[];
    const own = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>);
    return [...choices.flatMap(namesIn), ...own.flatMap(([name, value]) => [name, ...namesIn(value)])];
  };
  return Object.values(document.paths).flatMap((methods) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const isOpen = operation["x-needs"] === "nothing" && method !== "get";
      const body = operation.requestBody?.content["application/json"]?.schema;
      const takes = body !== undefined && namesIn(body).some((name) => SECRET.test(name));
      return isOpen || takes ? [operation.operationId] : [];
    }),
  );
};

test("A20: every operation that takes a secret has a row", async () => {
  const known = new Set([...Object.values(limited).map(({ operation }) => operation), ...Object.keys(others)]);
  const found = await operationsWithSecrets();
  expect(found.filter((id) => !known.has(id))).toEqual([]);
  expect(found).toEqual(
    expect.arrayContaining(["logIn", "setPassword", "confirmSecondFactor", "acceptInvite", "callJobHook", "ackWake"]),
  );
});

const setUp = () => createFakeHouse(createFakeWorld({ hash }));

test.each(Object.entries(limited))(
  "A20: %s is limited per address, and other addresses are not affected",
  async (_name, { perAddress, attempt }) => {
    const house = await setUp();
    const first = (await attempt(house, "203.0.113.1", 0)).status;
    expect(first).toBeOneOf([400, 401, 410]);
    for (let index = 1; index < perAddress; index += 1)
      expect((await attempt(house, "203.0.113.1", index)).status).toBe(first);
    const over = await attempt(house, "203.0.113.1", perAddress);
    expect([over.status, over.headers.has("retry-after")]).toEqual([429, true]);
    expect((await attempt(house, "203.0.113.2", 0)).status).toBe(first);
    house.http.close();
  },
);

test.each(Object.entries(limited).filter(([, { perAccount }]) => perAccount !== undefined))(
  "A20: %s is limited per account, from any address",
  async (_name, { perAccount = 0, attempt }) => {
    const house = await setUp();
    for (let index = 0; index < perAccount; index += 1)
      expect((await attempt(house, `203.0.113.${index}`, index)).status).not.toBe(429);
    expect((await attempt(house, "203.0.113.200", 0)).status).toBe(429);
    house.http.close();
  },
);
