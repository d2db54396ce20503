/**
 * Limited keys cannot create rights or credentials beyond their own. Every operation that changes
 * something has a row here; a new operation without one fails.
 */
import { describe, expect, test } from "bun:test";
import type { HouseId, KeyScope } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../adapter/bun/world.ts";
import type { OpenApiDocument } from "./docs/open-api.ts";
import { createFakeHouse, type FakeHouse } from "./fakes/fake-house.ts";

const { hash } = createBunWorld();

/** What stops each kind of key: `whole` both kinds, `lasting` a key that ends, `proof` every key. */
type Rule = "whole" | "lasting" | "proof";

interface Mint {
  readonly rule: Rule;
  readonly path?: (house: FakeHouse) => string;
  readonly body?: (house: FakeHouse) => unknown;
}

const ATTESTATION = {
  id: "x",
  rawId: "x",
  type: "public-key",
  response: { clientDataJSON: "x", attestationObject: "x" },
};

const mints: Readonly<Record<string, Mint>> = {
  createKey: { rule: "proof", body: () => ({ name: "k" }) },
  createLoginLink: { rule: "whole", body: () => ({}) },
  setPassword: { rule: "whole", body: () => ({ password: "correct horse battery" }) },
  beginSecondFactor: { rule: "whole", body: () => ({}) },
  confirmSecondFactor: { rule: "whole", body: () => ({ setup: "x", code: "000000" }) },
  renewRecoveryCodes: { rule: "whole", body: () => ({ code: "000000" }) },
  removeSecondFactor: { rule: "whole" },
  beginPasskey: { rule: "whole", body: () => ({}) },
  addPasskey: { rule: "whole", body: () => ({ ticket: "x", name: "x", passkey: ATTESTATION }) },
  editPasskey: { rule: "whole", path: () => "/api/passkeys/x", body: () => ({ name: "x" }) },
  removePasskey: { rule: "whole", path: ({ owner }) => `/api/agents/${owner.id}/passkeys/x` },
  changeNotifications: { rule: "whole", body: () => ({ showsText: true }) },
  makeNotificationKey: { rule: "whole" },
  addNotificationDevice: {
    rule: "whole",
    body: () => ({
      name: "x",
      endpoint: "https://push.test/x",
      keys: { p256dh: "x".repeat(87), auth: "x".repeat(22) },
    }),
  },
  removeNotificationDevice: { rule: "whole", path: () => "/api/notifications/devices/x" },
  testNotifications: { rule: "whole" },
  changeVoiceChoices: { rule: "whole", body: () => ({ replies: "always" }) },
  linkIdentity: { rule: "whole", path: () => "/api/identities/x/link", body: () => ({}) },
  unlinkIdentity: {
    rule: "whole",
    path: ({ owner }) => `/api/agents/${owner.id}/identities/x/unlink`,
    body: () => ({}),
  },
  pairDevice: { rule: "whole" },
  editSession: {
    rule: "whole",
    path: () => "/api/sessions/ses_0123456789abcdefghjkmnpqrs",
    body: () => ({ name: "x" }),
  },
  confirmSession: { rule: "whole", body: () => ({ password: "x" }) },
  endSessions: { rule: "whole" },
  endSession: { rule: "whole", path: () => "/api/sessions/ses_0123456789abcdefghjkmnpqrs" },
  createInvite: { rule: "whole", body: () => ({ level: "r" }) },
  approvePairing: { rule: "whole", body: () => ({ code: "ABCDEFGH" }) },
  changeVaultKey: { rule: "whole", body: () => ({ source: "passphrase", passphrase: "correct horse" }) },
  grantHouse: { rule: "lasting", body: () => ({ level: "x" }) },
  grantRoom: { rule: "lasting", body: () => ({ level: "x" }) },
  grantSecret: { rule: "lasting", body: ({ bot }) => ({ agent: bot.id, host: "evil.example", as: "bearer" }) },
  openJobHook: { rule: "lasting" },
  rotateJobHook: { rule: "lasting" },
  putSubscription: { rule: "lasting", body: () => ({ type: "webhook", webhook: { url: "https://evil.example/" } }) },
  putSubscriptionOfHouse: { rule: "lasting", body: () => ({ type: "pull-wake" }) },
  linkStreams: { rule: "lasting", body: () => ({ streams: ["a"] }) },
  linkStreamsOfHouse: { rule: "lasting", body: () => ({ streams: ["a"] }) },
  createAgent: { rule: "lasting", body: () => ({ content: { name: "Late", kind: "bot" } }) },
  createRoom: { rule: "lasting", body: ({ bot }) => ({ content: { name: "Late", members: [bot.id] } }) },
  editRoom: { rule: "lasting", body: ({ bot }) => ({ content: { members: [bot.id] } }) },
  decideApproval: {
    rule: "lasting",
    path: () => "/api/approvals/apr_0123456789abcdefghjkmnpqrs",
    body: () => ({ decision: "allow", scope: "rule" }),
  },
  addChannel: { rule: "proof", body: () => ({ name: "c", kind: "telegram", tokenReference: "env:HOME" }) },
  changeChannel: { rule: "proof", path: () => "/api/channels/c", body: () => ({ tokenReference: "env:HOME" }) },
  editSettings: { rule: "proof", body: () => ({ values: { "egress.loopback": true } }) },
  setTunnel: { rule: "proof", body: () => ({ kind: "ngrok" }) },
  setBackupTarget: {
    rule: "proof",
    path: () => "/api/backups/targets/x",
    body: () => ({ to: "file:///mnt/x" }),
  },
  beginImport: { rule: "whole", body: () => ({ preview: "x", parts: [0] }) },
  restoreBackup: { rule: "whole", body: () => ({ number: 1 }) },
  rotateAuditKey: { rule: "whole" },
  addProvider: { rule: "proof", body: () => ({ name: "p", kind: "openai", apiKey: "env:HOME" }) },
  testNewMediaProvider: {
    rule: "proof",
    path: () => "/api/media-tests/pictures",
    body: () => ({ kind: "openai", apiKey: "env:HOME" }),
  },
  removeProvider: { rule: "proof", path: () => "/api/providers/offline" },
  replaceProviderKey: { rule: "proof", body: () => ({ key: "k" }) },
  removeMediaProvider: { rule: "proof", path: () => "/api/media/pictures" },
  setSecret: { rule: "proof", body: () => ({ name: "S", value: "v" }) },
  rotateSecret: { rule: "proof", body: () => ({ value: "v" }) },
  removeBackupTarget: { rule: "proof", path: () => "/api/backups/targets/x" },
  setMediaProvider: { rule: "proof", path: () => "/api/media/pictures", body: () => ({ kind: "openai", key: "k" }) },
};

/** Operations that change something and create no right or credential. */
const others = new Set<string>([
  "challengePasskey",
  "createHouse",
  "editHouse",
  "removeHouse",
  "removeRoom",
  "removeTunnel",
  "makeBackup",
  "editAgent",
  "removeAgent",
  "postMessage",
  "editMessage",
  "deleteMessage",
  "reactToMessage",
  "beginUpload",
  "appendToUpload",
  "cancelUpload",
  "directRoom",
  "newChat",
  "branchChat",
  "changeRoomView",
  "renameRoom",
  "chat",
  "stopActivation",
  "stopAgent",
  "resumeAgent",
  "stopAll",
  "resumeAll",
  "removeApprovalRule",
  "writeBrainFile",
  "removeBrainFile",
  "undoBrain",
  "eraseBrain",
  "recall",
  "remember",
  "forget",
  "reindexMemory",
  "clearWorkspaceLabels",
  "decideProposal",
  "archiveInbox",
  "addJob",
  "editJob",
  "cancelJob",
  "runJob",
  "previewJob",
  "closeJobHook",
  "compactAgent",
  "revokeKey",
  "revokeHouse",
  "revokeRoom",
  "removeSecret",
  "revokeSecret",
  "openCell",
  "closeCells",
  "removeChannel",
  "testMediaProvider",
  "testProvider",
  "testWebSearch",
  "testNewProvider",
  "editProvider",
  "testNewChannel",
  "sendTestMessage",
  "testOidc",
  "retryActivation",
  "decideRestore",
  "testChannel",
  "testBackupTarget",
  "decideDelivery",
  "endPairing",
  "stop",
  "logOut",
  "removeSubscriptionOfHouse",
  "unlinkStreamOfHouse",
  "claimWakeOfHouse",
  "removeSubscription",
  "unlinkStream",
  "claimWake",
  "makeStreamOfHouse",
  "appendToStreamOfHouse",
  "removeStreamOfHouse",
  "makeStream",
  "appendToStream",
  "removeStream",
  "logIn",
  "previewInvite",
  "acceptInvite",
  "revokeInvite",
  "receiveWebhook",
  "callJobHook",
  "transcribe",
  "editTranscript",
  "describePicture",
  "callbackWake",
  "ackWake",
  "releaseWake",
]);

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

const operations: readonly Operation[] = await (async () => {
  const house = await createFakeHouse(createFakeWorld({ hash }));
  const { paths } = (await (await house.call("/openapi.json")).json()) as OpenApiDocument;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== "get")
      .map(([method, { operationId }]) => ({ id: operationId, method: method.toUpperCase(), path })),
  );
})();

test("A5: every operation that changes something declares whether it creates rights or credentials", () => {
  const known = new Set([...Object.keys(mints), ...others]);
  expect(operations.map(({ id }) => id).filter((id) => !known.has(id))).toEqual([]);
  expect([...known].filter((id) => !operations.some((operation) => operation.id === id))).toEqual([]);
});

const CREDENTIALS = [
  "keys",
  "logins",
  "passwords",
  "invites",
  "grants",
  "secret_grants",
  "senders",
  "records",
] as const;

const countAll = async (house: FakeHouse): Promise<readonly number[]> =>
  Promise.all(CREDENTIALS.map(async (table) => (await house.store.select({ table })).length));

const limits = {
  "a key that ends": { rules: ["whole", "lasting", "proof"], expiresAt: true },
  "a key with a scope": { rules: ["whole", "proof"], scope: true },
  "a key with a scope that ends": { rules: ["whole", "lasting", "proof"], expiresAt: true, scope: true },
} as const;

describe.each(Object.entries(limits))("%s", (_name, limit) => {
  test.each(Object.entries(mints).filter(([, { rule }]) => limit.rules.some((limitedRule) => limitedRule === rule)))(
    "is refused to %s, and creates nothing",
    async (id, { rule, path: at, body }) => {
      const world = createFakeWorld({ hash });
      const house = await createFakeHouse(world);
      const { bot, owner, room } = house;
      const scope: KeyScope = { level: "x", on: [house.house as HouseId] };
      const { key } = await house.options.people.keys.create(
        {
          ...{ name: "limited", agent: owner.id },
          ...("scope" in limit ? { scope } : {}),
          ...("expiresAt" in limit ? { expiresAt: world.clock.now() + 3_600_000 } : {}),
        },
        { agent: owner.id },
      );
      const operation = operations.find((operation) => operation.id === id);
      const path =
        at?.(house) ??
        operation?.path
          .replace("/agents/{agent}", `/agents/${/Password/.test(id) ? owner.id : bot.id}`)
          .replace("/houses/{id}", `/houses/${house.house}`)
          .replace("/houses/{house}", `/houses/${house.house}`)
          .replace("/rooms/{id}", `/rooms/${room.id}`)
          .replace("{agent}", bot.id)
          .replace(/\{\w+\}/g, "x") ??
        "";
      const before = await countAll(house);
      const response = await house.call(path, {
        method: operation?.method ?? "",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body(house)) }),
      });
      const text = await response.text();
      expect([id, response.status, text]).toEqual([
        id,
        403,
        expect.stringContaining(rule === "proof" ? "auth.denied" : "grant.exceeds"),
      ]);
      expect(await countAll(house)).toEqual(before);
      house.http.close();
    },
  );
});
