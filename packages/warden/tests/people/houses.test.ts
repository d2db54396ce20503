/**
 * Two houses in one home never read each other's data. The tests iterate over every table and every
 * way to read.
 */
import type { PlainColumns } from "../../src/fixtures/rows.ts";
import { describe, expect, test } from "bun:test";
import type { ActivationId, AgentId, HouseId, PushChoices, RoomId } from "@hearth/protocol";
import { HOST } from "../../src/fixtures/daemon-parts.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse, TOKEN } from "../../src/fixtures/house.ts";
import type { OpenApiDocument } from "../../src/http/docs/open-api.ts";
import type { Write } from "../../src/kernel/store/store.ts";
import { writeJson } from "../../src/kernel/index.ts";
import { type TableName, tableNames, tables } from "../../src/kernel/store/tables/tables.ts";

/** The annex, with the records of the people who live there. */
interface Annex {
  readonly house: HouseId;
  readonly bea: { readonly id: AgentId; readonly key: string; readonly keyId: string };
  readonly bot: AgentId;
  readonly room: RoomId;
  readonly event: string;
  readonly activation: ActivationId;
}

const mark = (table: TableName): string => `canary-${table}-`;

/** A person in a new house of their own, with x there and no level elsewhere. */
const settle = async (house: TestHouse, name: string) => {
  const { json: made } = await house.ask("POST", "/api/houses", { content: { name } });
  const person = { house: made.id, content: { name: `Head of ${name}`, kind: "human" }, level: "x" };
  const { json: head } = await house.ask("POST", "/api/agents", person);
  const { json: key } = await house.ask("POST", "/api/keys", { name: `${mark("keys")}${name}`, agent: head.id });
  return { house: made.id as HouseId, id: head.id as AgentId, key: key.key as string, keyId: key.id as string };
};

const furnish = async (house: TestHouse): Promise<Annex> => {
  const bea = await settle(house, "Annex");
  const ask = async (method: string, path: string, body?: unknown) =>
    (await house.ask(method, path, body, bea.key)).json;
  const description = mark("records");
  await ask("PATCH", `/api/houses/${bea.house}`, { content: { description } });
  const bot = await ask("POST", "/api/agents", {
    house: bea.house,
    content: { name: "Butler", kind: "bot", description },
  });
  const room = await ask("POST", "/api/rooms", { house: bea.house, content: { name: "Parlour", description } });
  const event = await ask("POST", `/api/rooms/${room.id}/messages`, { text: mark("events") });
  const activation = `act_${"0".repeat(26)}` as ActivationId;
  return { house: bea.house, bea, bot: bot.id, room: room.id, event: event.id, activation };
};

/**
 * A row of the annex in each table, with the table's name in every text column. A new table without
 * a row does not compile.
 */
const seeds = ({ house, bea, bot, room, event, activation }: Annex) => {
  const at = 1;
  const rows: { readonly [Table in TableName]: PlainColumns<Table> | "by use" } = {
    records: "by use",
    events: "by use",
    heads: "by use",
    audit_segments: { house, after: 1_000_000, through: 1_000_001, blob: mark("audit_segments"), size: 1, at },
    readers: { reader: mark("readers"), stream: `room:${room}`, offset: 1 },
    activations: {
      ...{ id: activation, agent: bot, room, trigger: "mention", cause: event, cause_offset: 1, person: bea.id },
      ...{ state: "failed", reason: mark("activations"), model: mark("activations"), error: null, usage: USAGE },
      ...{
        frozen: mark("activations"),
        frozen_blob: null,
        progress: 0,
        retries: 0,
        retry_at: 0,
        retried_by: null,
        created_at: at,
        started_at: at,
        ended_at: at,
        fence: 0,
      },
      ...{ crashes: 0, depth: 0, merged_into: null, parked: null, skip: null, ready_at: 0, root: event, parent: null },
      inbox: null,
    },
    steps: {
      ...{ activation, step: 0, kind: "tool", name: mark("steps"), input_hash: "h", effect: "pure", state: "done" },
      ...{ output: JSON.stringify({ text: mark("steps"), failed: false }), output_blob: null, started_at: at },
      ...{ ended_at: at, labels: null, refused_by: null },
    },
    step_files: { activation, step: 0, blob: mark("step_files"), size: 1 },
    compactions: {
      ...{ agent: bot, room, place: 1, state: "failed", reason: mark("compactions"), keep: null, activation, after: 0 },
      ...{ through: 1, head: 1, messages: 1, tokens: null, summary: null, labels: null, files: "[]", usage: USAGE, at },
      ended_at: at,
    },
    jobs: {
      ...{ agent: bot, name: mark("jobs"), owner: bea.id, terms: mark("jobs"), labels: null, status: "paused" },
      ...{ next_at: null, failures: 0, not_before: 0, version: 1, created_at: at, way: mark("jobs") },
    },
    job_slots: {
      ...{ agent: bot, job: mark("job_slots"), slot: at, by_hand: 0, through: at, count: 1, fate: "missed" },
      ...{ reason: mark("job_slots"), fired_at: null, ended_at: at, activation: null, result: null },
      way: mark("job_slots"),
    },
    job_hooks: {
      ...{ id: mark("job_hooks"), house, agent: bot, job: mark("job_hooks"), secret: mark("job_hooks") },
      created_at: at,
    },
    job_deliveries: { hook: mark("job_deliveries"), delivery: mark("job_deliveries"), agent: bot, slot: at, at },
    brain_files: {
      ...{ agent: bot, path: mark("brain_files"), hash: null, size: 0, stamp: mark("brain_files"), settled: 1 },
      approved: null,
    },
    brain_versions: {
      ...{ agent: bot, place: 1_000_000, change: `chg_${"0".repeat(26)}`, kind: "write", at, by: bea.id, activation },
      ...{ path: mark("brain_versions"), before: null, after: null, erased: 0, note: mark("brain_versions") },
    },
    brain_bodies: {
      agent: bot,
      hash: mark("brain_bodies"),
      text: mark("brain_bodies"),
      base: null,
      depth: 0,
    },
    brain_lines: { agent: bot, path: mark("brain_lines"), line: mark("brain_lines"), labels: "{}", activation, at },
    brain_proposals: {
      ...{ id: `prop_${"0".repeat(26)}`, house, agent: bot, activation, path: mark("brain_proposals"), before: null },
      ...{ after: null, why: mark("brain_proposals"), halts: 0, labels: "{}", state: "pending", at, by: null },
      ...{ reason: mark("brain_proposals"), decided_at: null },
    },
    files: { agent: bot, path: mark("files"), labels: "{}", activation, at },
    epochs: { epoch: mark("epochs"), at },
    generations: { generation: mark("generations") },
    restore_findings: {
      ...{ id: mark("restore_findings"), house, kind: "behind", detail: mark("restore_findings"), found_at: at },
      ...{ decision: "continue", by: bea.id, decided_at: at },
    },
    leases: { name: mark("leases"), holder: "h", fence: 1, expires_at: 1 },
    holds: { scope: bot, by: bea.id, at },
    inbound: {
      ...{ channel: "tele", external: mark("inbound"), at, conversation: "c", message: "m", sender: mark("inbound") },
      ...{ room, event, fate: "accepted", received_at: at },
    },
    cursors: { channel: mark("cursors"), cursor: "1" },
    conversations: {
      channel: "tele",
      conversation: "c",
      kind: "group",
      name: mark("conversations"),
      room,
      created_at: at,
    },
    senders: {
      ...{ channel: "tele", external: mark("senders"), name: mark("senders"), person: bea.id, state: "allowed" },
      ...{ code_hash: null, code_expires_at: null, created_at: at },
    },
    outbox: {
      ...{ id: `out_${"0".repeat(26)}`, channel: "tele", conversation: "c", place: 1, room, event },
      ...{
        body: mark("outbox"),
        reply_to: null,
        choices: null,
        ends: null,
        file: null,
        spoken: 0,
        state: "unknown",
        attempts: 1,
        not_before: 0,
        external: null,
      },
      ...{ error: null, created_at: at, ended_at: null },
    },
    spend: { scope: mark("spend"), period: mark("spend"), tokens: 1, money: 1 },
    model_usage: {
      ...{ day: mark("model_usage"), agent: "", model: mark("model_usage"), room: "", kind: "turn", calls: 1, at },
      ...{ input_tokens: 1, output_tokens: 1, cache_read_tokens: 1, cache_write_tokens: 1, money: 1 },
      ...{ estimated_tokens: 1, estimated_money: 1 },
    },
    approvals: {
      ...{ id: `apr_${"0".repeat(26)}`, house, agent: bot, activation, step: 0, room, person: bea.id, kind: "tool" },
      ...{ name: mark("approvals"), input: "{}", hash: mark("approvals"), asks: "[]", display: mark("approvals") },
      ...{ offers: "[]", bound: "{}", since: 1, code_hash: null, state: "pending", scope: null, by: null, at },
      ...{ reason: null, decided_at: null, expires_at: Number.MAX_SAFE_INTEGER },
    },
    approval_rules: {
      ...{ id: `rule_${"0".repeat(26)}`, house, agent: bot, tool: mark("approval_rules"), bound: "{}", room, since: 1 },
      ...{ text: mark("approval_rules"), approval: `apr_${"0".repeat(26)}`, by: bea.id, at },
    },
    keys: "by use",
    key_uses: { id: `key_${"0".repeat(26)}`, agent: bea.id, used_at: at },
    logins: {
      ...{
        hash: mark("logins"),
        id: `ses_${"0".repeat(26)}`,
        agent: bea.id,
        about: mark("logins"),
        created_at: Date.now(),
      },
      expires_at: Number.MAX_SAFE_INTEGER,
      name: mark("logins"),
      used_at: at,
      address: mark("logins"),
      method: "password",
    },
    passwords: { agent: bea.id, hash: mark("passwords"), at },
    second_factors: { agent: bea.id, id: mark("second_factors"), last_step: 0, created_at: at },
    identities: {
      ...{ id: mark("identities"), agent: bea.id, provider: mark("identities"), issuer: mark("identities") },
      ...{ subject: mark("identities"), account: mark("identities"), created_at: at, used_at: null },
    },
    passkeys: {
      ...{ id: mark("passkeys"), agent: bea.id, name: mark("passkeys"), public_key: "", counter: 0 },
      ...{ host: "localhost", created_at: at, used_at: null },
    },
    push_devices: {
      ...{ id: mark("push_devices"), agent: bea.id, session: null, name: mark("push_devices") },
      ...{ endpoint: "https://push.test/x", p256dh: "", auth: "", created_at: at, sent_at: null },
    },
    push_choices: {
      agent: bea.id,
      choices: writeJson({ rule: "all", rooms: { [mark("push_choices")]: "all" }, showsText: false } as PushChoices),
    },
    voice_choices: { agent: mark("voice_choices"), replies: "always" },
    recovery_codes: { agent: bea.id, hash: mark("recovery_codes"), used_at: null },
    invites: {
      id: `inv_${"0".repeat(26)}`,
      house,
      hash: mark("invites"),
      level: "w",
      rooms: null,
      note: mark("invites"),
      by: bea.id,
      created_at: at,
      expires_at: at,
      used_at: null,
      used_by: null,
      revoked_at: null,
      rights: null,
    },
    room_views: { agent: mark("room_views"), room, pinned_at: at, archived_head: 0 },
    grants: "by use",
    secrets: {
      ...{ house, name: mark("secrets"), version: 1, key: "k", wrapped: mark("secrets"), sealed: mark("secrets") },
      ...{ created_at: at, set_at: at },
    },
    secret_grants: {
      ...{ id: `sgr_${"0".repeat(26)}`, house, secret: mark("secrets"), agent: bot, by: bea.id, at },
      terms: JSON.stringify({ host: `${mark("secret_grants")}x.example.org`, as: "bearer" }),
    },
    vault_keys: {
      ...{ id: mark("vault_keys"), source: "file", about: mark("vault_keys"), proof: mark("vault_keys") },
      ...{ revision: 0, created_at: at },
    },
    inbox: {
      ...{ id: `note_${"0".repeat(26)}`, sender: bot, recipient: bot, type: "note", status: "pending" },
      ...{
        text: mark("inbox"),
        room,
        activation,
        reply_to: null,
        limits: null,
        labels: null,
        at,
        read_at: null,
        read_by: null,
        moved_at: null,
      },
    },
    egress: {
      ...{ id: `egr_${"0".repeat(26)}`, agent: bot, activation, at, host: mark("egress"), port: 443, method: "GET" },
      ...{ path: mark("egress"), outcome: "allowed", status: 200, why: null, sent_bytes: 1, received_bytes: 1 },
      ...{ secrets: "[]", usage: null },
    },
    byte_streams: {
      ...{ id: "0".repeat(26), house, path: mark("byte_streams"), owner: bea.id, content_type: "text/plain" },
      ...{ ttl_seconds: null, expires_at: null, due_at: null, state: "open", last_seq: null, source: null },
      ...{ fork_offset: 0, fork_sub: 0, base: 0, forks: 0, created_at: at },
    },
    byte_producers: { stream: "0".repeat(26), producer: mark("byte_producers"), epoch: 1, seq: 1 },
    subscriptions: {
      ...{ house, id: mark("subscriptions"), owner: bea.id, config: "{}", secret: "s", generation: 0, wake: null },
      ...{ holder: null, lease_until: null, attempts: 0, retry_at: null, created_at: at },
    },
    subscription_links: {
      ...{ house, subscription: mark("subscriptions"), path: mark("subscription_links") },
      ...{ stream: null, is_explicit: 1, is_matched: 0, acked: 0 },
    },
    uploads: {
      ...{
        id: `upl_${"0".repeat(26)}`,
        house,
        owner: bea.id,
        name: mark("uploads"),
        size: 1,
        offset: 0,
        state: "open",
      },
      ...{ hash: null, final_size: null, facts: null, created_at: at, changed_at: at },
    },
    upload_parts: { upload: `upl_${"0".repeat(26)}`, start: 0, size: 1, blob: mark("upload_parts"), house },
    upload_texts: {
      upload: `upl_${"0".repeat(26)}`,
      hash: mark("upload_texts"),
      blob: mark("upload_texts"),
      house,
    },
    upload_pictures: {
      ...{ upload: `upl_${"0".repeat(26)}`, edge: 640, hash: mark("upload_pictures"), blob: mark("upload_pictures") },
      ...{ size: 1, type: "image/webp", width: 1, height: 1, house },
    },
    upload_quotas: { holder: bea.id, bytes: 1, open: 1 },
    attachments: { room, upload: `upl_${"0".repeat(26)}`, event: mark("attachments"), caption: null },
    transcripts: {
      ...{ upload: `upl_${"0".repeat(26)}`, house, text: mark("transcripts"), language: null, segments: null },
      ...{ source: "fake", cost: 0, error: null, edited_by: null, at },
    },
    picture_descriptions: {
      ...{ upload: `upl_${"0".repeat(26)}`, house, hash: mark("picture_descriptions"), text: null },
      ...{ source: "fake", cost: 0, error: null, at },
    },
    speeches: { event: mark("speeches"), room, hash: "h", blob: mark("speeches"), size: 1, type: "audio/wav", at },
    signing_keys: { id: "kid", public: "p", secret: mark("signing_keys"), created_at: at },
  };
  return Object.entries(rows).flatMap(([table, row]): Write[] =>
    row === "by use" ? [] : [{ kind: "put", table, row } as unknown as Write],
  );
};
const USAGE = JSON.stringify({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 });

/** Every way to read, with each id of the annex in every path and query parameter. */
const readings = async (house: TestHouse, annex: Annex): Promise<readonly string[]> => {
  const { paths } = (await house.ask("GET", "/openapi.json")).json as OpenApiDocument;
  const things = [annex.house, "annex", annex.room, "parlour", annex.bot, "butler", annex.bea.id, annex.activation];
  const more = [annex.event, annex.bea.keyId, "tele", `note_${"0".repeat(26)}`, `ses_${"0".repeat(26)}`];
  const queries = ["", `?house=${annex.house}`, `?on=${annex.house}`, `?on=${annex.room}`, `?agent=${annex.bea.id}`];
  return Object.entries(paths).flatMap(([path, methods]) => {
    if (!Object.hasOwn(methods, "get")) return [];
    if (!path.includes("{")) return queries.map((query) => path + query);
    return [...things, ...more].flatMap((thing) => [path.replace(/\{\w+\}/g, thing)]);
  });
};

const open = async (disk: TestDisk) => {
  const house = await openTestHouse({ disk, script: [] });
  const annex = await furnish(house);
  const { kind } = await disk.store.commit({ writes: seeds(annex) });
  expect(kind).toBe("committed");
  return { house, annex };
};

/** The tables whose marks appear in anything that this key can read. */
const readBy = async (house: TestHouse, annex: Annex, key: string = TOKEN): Promise<readonly TableName[]> => {
  let all = "";
  for (const path of await readings(house, annex)) {
    const headers = { host: HOST, authorization: `Bearer ${key}` };
    const response = await house.warden.http.handle(new Request(`http://${HOST}${path}`, { headers }));
    expect([path, response.status < 500]).toEqual([path, true]);
    all += await response.text();
  }
  return tableNames.filter((table) => all.includes(mark(table)));
};

describe("another house's data", () => {
  test("is read by its own people, and by no caller without a level there", async () => {
    using disk = createTestDisk();
    const { house, annex } = await open(disk);
    await using _ = house;
    const neighbour = await settle(house, "Next door");
    // The tables that this test can detect at all; without this, finding nothing would prove
    // nothing.
    expect(await readBy(house, annex, annex.bea.key)).toEqual([
      ...([
        "records",
        "keys",
        "logins",
        "passkeys",
        "identities",
        "invites",
        "push_devices",
        "push_choices",
        "events",
        "activations",
        "steps",
        "files",
        "inbox",
      ] as const),
      ...(["brain_versions", "brain_proposals", "compactions"] as const),
      ...(["approvals", "approval_rules", "secrets", "secret_grants", "egress"] as const),
    ]);
    const { json: seen } = await house.ask("GET", "/api/keys", undefined, neighbour.key);
    expect(seen.map(({ agent }: { agent: AgentId }) => agent)).toEqual([neighbour.id]);
    // The neighbour's own key has the mark in its name.
    expect(await readBy(house, annex, neighbour.key)).toEqual(["keys"]);
  });

  test("is not read by administrators of another house in the same home; the home's administrator sees channels and no house", async () => {
    using disk = createTestDisk();
    const { house, annex } = await open(disk);
    await using _ = house;
    const { json: me } = await house.ask("GET", "/api/me");
    await house.ask("DELETE", `/api/houses/${annex.house}/grants/${me.agent.id}`, undefined, annex.bea.key);
    await house.ask("DELETE", `/api/rooms/${annex.room}/grants/${me.agent.id}`, undefined, annex.bea.key);
    const read = await readBy(house, annex);
    for (const table of read)
      expect([table, tables[table].owner]).toEqual([table, table === "keys" ? expect.anything() : "home"]);
  });

  test("cannot be written either: every change that refers to it is refused", async () => {
    using disk = createTestDisk();
    const { house, annex } = await open(disk);
    await using _ = house;
    const neighbour = await settle(house, "Next door");
    const { paths } = (await house.ask("GET", "/openapi.json")).json as OpenApiDocument;
    const before = await disk.store.select({ table: "records", where: { house: annex.house } });
    for (const [path, methods] of Object.entries(paths)) {
      for (const method of Object.keys(methods).filter((method) => method !== "get" && method !== "head")) {
        if (!/^\/api\/(houses|rooms|agents|activations)\/\{/.test(path)) continue;
        const [, kind = ""] = /^\/api\/(\w+)/.exec(path) ?? [];
        const own = { houses: annex.house, rooms: annex.room, agents: annex.bot, activations: annex.activation }[kind];
        const target = path.replace(/\{\w+\}/, own ?? "").replace(/\{\w+\}/g, neighbour.id);
        const { status } = await house.ask(method.toUpperCase(), target, {}, neighbour.key);
        expect([method, path, status]).toEqual([method, path, 404]);
      }
    }
    expect(await disk.store.select({ table: "records", where: { house: annex.house } })).toEqual(before);
  });
});

test("a handle that exists in two houses means the one of the caller's house; the other is addressed by id", async () => {
  using disk = createTestDisk();
  const { house, annex } = await open(disk);
  await using _ = house;
  const { json: twin } = await house.ask("POST", "/api/rooms", { content: { name: "Parlour" } });
  expect((await house.ask("GET", "/api/rooms/parlour")).json.id).toBe(twin.id);
  expect((await house.ask("GET", "/api/rooms/parlour", undefined, annex.bea.key)).json.id).toBe(annex.room);
});

test("E4: every table declares the owner of its rows by an existing column", async () => {
  using disk = createTestDisk();
  const { house } = await open(disk);
  await using _ = house;
  for (const table of tableNames) {
    const { owner } = tables[table];
    if (owner === "home") continue;
    const [row] = await disk.store.select({ table, limit: 1 });
    expect([table, typeof row?.[owner.column as never]]).toEqual([table, "string"]);
  }
});
