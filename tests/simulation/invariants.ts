/** Checks the invariants of a house at rest, from its disk and the logs of its far sides. */
import type { EventId, RoomId, StoredMessage } from "@hearth/protocol";
import { createBodyReader, hash, readAudit, type Row } from "@hearth/warden/memory-warden";
import { type House, NOTES } from "./house.ts";
import { checkJobs } from "./job-fates.ts";
import { checkCompactions } from "./compactions.ts";

/** A message that the house accepted: its author got a success response. */
export interface AcceptedMessage {
  readonly key: string;
  readonly room: RoomId;
  readonly event: EventId;
  readonly by: string;
}

export interface Expectations {
  /** The run had no faults except crashes, so every message must be answered. */
  readonly isClean: boolean;
  /**
   * Two daemons sent deliveries concurrently, so the order within a conversation is not guaranteed.
   */
  readonly isShared: boolean;
}

type ActivationRow = Row<"activations">;

/**
 * A reply without the note that names the files that the model did not get. Text and transcripts are
 * never a reason, so only a missing file or a full turn is one. A deleted voice note is named as audio.
 */
const withoutNote = (reply: string): string => reply.replace(UNREAD_NOTE, "");
const UNREAD = String.raw`\S+ \((?:newer files fill the turn, or it is no longer stored|the model takes no audio)\)`;
const UNREAD_NOTE = new RegExp(String.raw`\n\n\[Not shown to the model: ${UNREAD}(; ${UNREAD})*\.\]$`);

/** The limits in the house's configuration. */
const MAX_CHAIN = 2;
const MAX_REPLIES = 6;

/** All events, those of audit logs also from their segments. */
const readEvents = async (
  { store }: House["disk"],
  audit: ReturnType<typeof readAudit>,
): Promise<readonly Row<"events">[]> => {
  const rows = await store.select({ table: "events", order: [{ column: "stream" }, { column: "offset" }] });
  const logs: Row<"events">[] = [];
  for (const house of await audit.houses())
    logs.push(...((await audit.page(house, 0, Infinity)) as readonly Row<"events">[]));
  return [...rows.filter(({ stream }) => !stream.startsWith("audit:")), ...logs];
};

export const checkHouse = async (
  house: House,
  accepted: readonly AcceptedMessage[],
  { isClean, isShared }: Expectations,
): Promise<void> => {
  const { disk, complain, platforms } = house;
  const { store } = disk;
  const audit = readAudit(disk, { now: () => 0, turn: () => Promise.resolve() });
  const [rows, activations, steps, outbox, inbound, records, heads] = await Promise.all([
    readEvents(disk, audit),
    store.select({ table: "activations" }),
    store.select({ table: "steps" }),
    store.select({ table: "outbox" }),
    store.select({ table: "inbound" }),
    store.select({ table: "records" }),
    store.select({ table: "heads" }),
  ]);
  const events = await Promise.all(
    rows.map(async (row) => {
      const bytes = row.blob === null ? undefined : await disk.blobs.intact(row.blob);
      return bytes === undefined ? row : { ...row, body: new TextDecoder().decode(bytes) };
    }),
  );
  // The other checks read every text, so they need all of them.
  const gone = events.filter(({ blob, body }) => blob !== null && body === null);
  for (const { stream, offset } of gone) complain("I7", `the blob of event ${offset} of ${stream} was never stored`);
  if (gone.length > 0) return;
  const bots = new Set<string>(
    records.filter(({ type, content }) => type === "agent" && JSON.parse(content).kind === "bot").map(({ id }) => id),
  );
  /** Messages whose text was lost: the house cannot read their mentions or answer them. */
  const unread = new Set(rows.filter(({ blob }) => disk.blobs.everLost.has(blob ?? "")).map(({ id }) => id));
  const messages: StoredMessage[] = [];
  const removed = new Set<string>();

  await checkNotes(house, records);
  await checkVersions(house);
  await house.decisions.check(house.toolWorld.effects);
  await checkCompactions(house, events, activations);
  await checkJobs(house, { isShared });

  // I11: offsets are dense, and the head of every stream is its last event.
  const last = new Map<string, number>();
  for (const event of events) {
    const expected = (last.get(event.stream) ?? 0) + 1;
    if (event.offset !== expected)
      complain("I11", `${event.stream} jumps from offset ${expected - 1} to ${event.offset}`);
    last.set(event.stream, event.offset);
    const body = JSON.parse(event.body ?? "null");
    if (event.type === "message") messages.push({ ...body, id: event.id, offset: event.offset });
    if (event.type === "message-deleted") removed.add(body.message);
  }
  for (const { stream, head } of heads)
    if (last.get(stream) !== head) complain("I11", `the head of ${stream} is not its last event`);

  // I9: the audit log of every house is complete, and contains every step of the journal.
  for (const house of await audit.houses())
    for (const { text } of (await audit.verify(house)).findings) complain("I9", text);
  const audited = new Set(
    events
      .filter(({ stream, type }) => stream.startsWith("audit:") && type === "step")
      .map(({ body }) => JSON.parse(body ?? "{}"))
      .map((fact) => `${fact.activation} ${fact.step} ${fact.state}`),
  );
  for (const { activation, step, state } of steps)
    if (!audited.has(`${activation} ${step} ${state}`))
      complain("I9", `step ${step} of ${activation} is ${state}, but the audit log has no such entry`);

  // I1: every accepted message exists, and exists once.
  const byId = new Map(messages.map((message) => [message.id as string, message]));
  for (const { key, event } of accepted)
    if (!byId.has(event)) complain("I1", `the message ${key} was accepted but is missing`);
  const keys = messages.flatMap(({ room, author, key }) => (key === undefined ? [] : [`${room} ${author} ${key}`]));
  if (new Set(keys).size < keys.length) complain("I2", "a message that was sent again was stored twice");
  for (const { name, pushed } of platforms) {
    // Every update has a unique text.
    for (const { externalId, text } of new Set(pushed)) {
      const times = messages.filter(
        ({ body, key, activation }) => body.text === text && key === undefined && activation === undefined,
      ).length;
      if (times > 1) complain("I2", `the update ${externalId} of ${name} was stored ${times} times`);
    }
    for (const { externalId, sender, kind } of pushed) {
      const row = inbound.find(({ channel, external }) => channel === name && external === externalId);
      if (row === undefined) complain("I1", `the update ${externalId} of ${name} has no fate`);
      else if (row.fate === "accepted" && !events.some(({ id }) => id === row.event))
        complain("I1", `${externalId} of ${name} was accepted but is missing`);
      else if (row.fate === "failed") complain("I1", `${externalId} of ${name} failed with a bug`);
      else if (row.fate === "ignored" && kind === "message" && !pushed.some((other) => other.kind === "edit"))
        complain("I1", `${externalId} of ${name} was ignored, but it is not an edit`);
      else if (row.fate === "unpaired" && sender.id === "s1")
        complain("I1", `${externalId} of ${name} was refused, but its sender is allowed`);
    }
  }

  // I2: every agent that a message must wake runs once, and its activation ends with a state.
  const rooms = new Map(
    records.filter(({ type }) => type === "room").map(({ id, content }) => [id, JSON.parse(content)]),
  );
  const ofMessage = (id: string): readonly ActivationRow[] => activations.filter(({ cause }) => cause === id);
  for (const message of messages) {
    const isStop = /^\s*\/?stop[\s.!]*$/i.test(message.body.text);
    const room = rooms.get(message.room);
    const woken = new Set<string>(ofMessage(message.id).map(({ agent }) => agent));
    const due = [...bots].filter(
      (bot) =>
        bot !== message.author &&
        (room?.members === undefined || room.members.includes(bot)) &&
        (room?.kind === "direct" || message.mentions.some((mentioned) => mentioned === bot)),
    );
    if (isStop && woken.size > 0) complain("I2", `a stop message woke an agent: ${message.id}`);
    if (!isStop && !unread.has(message.id))
      for (const bot of due)
        if (!woken.has(bot)) complain("I2", `${message.body.text} (${message.id}) did not wake ${bot}`);
  }
  for (const row of activations) {
    const name = `${row.id} for "${byId.get(row.cause)?.body.text ?? "?"}"`;
    const own = messages.filter(({ activation }) => activation === row.id);
    const replies = own.filter(({ stopped }) => stopped !== true);
    // A stopped turn leaves at most one partial reply: the text that its readers had seen.
    if (own.length - replies.length > (row.state === "stopped" ? 1 : 0))
      complain("I2", `${name} is ${row.state} and has ${own.length - replies.length} partial replies`);
    if (row.ended_at === null) complain("I2", `${name} never ended and is still ${row.state}`);
    else if ((row.state === "replied" ? 1 : 0) !== replies.length)
      complain("I2", `${name} is ${row.state} and has ${replies.length} replies`);
    const reply = replies[0];
    if (reply !== undefined && !reply.causes.some((cause) => cause === row.cause))
      complain("I2", `the reply of ${name} does not name the message that it answers`);
    if (reply !== undefined && !house.completedTexts.has(withoutNote(reply.body.text)))
      complain("R5", `the reply "${reply.body.text}" of ${name} is not what the model said`);
    if (row.state !== "replied" && row.ended_at !== null && row.reason === null)
      complain("I2", `${name} is ${row.state} without a reason`);
    if (row.state === "failed" && isClean) complain("I2", `${name} failed: ${row.error}`);
    if (row.merged_into !== null) checkMerged(row, name);
    else if (isClean && row.state !== "replied" && row.skip === null)
      complain("I2", `${name} is ${row.state}: ${row.reason}`);
    const ends = events.filter(
      ({ stream, type, body }) =>
        stream === `agent:${row.agent}` &&
        type === "activation-ended" &&
        JSON.parse(body ?? "{}").activation === row.id,
    );
    // An activation that was skipped before it began has a row but no entry in the agent's log.
    if (row.ended_at !== null && ends.length !== (row.skip === null ? 1 : 0))
      complain("I2", `${name} ended ${ends.length} times in its agent's log`);
  }
  /** The activation that merged the message names it in its reply, or has no reply. */
  function checkMerged(row: ActivationRow, name: string): void {
    let host = activations.find(({ id }) => id === row.merged_into);
    for (let steps = 0; host !== undefined && host.merged_into !== null && steps < 100; steps += 1) {
      const next = host.merged_into;
      host = activations.find(({ id }) => id === next);
    }
    if (host === undefined || host.merged_into !== null)
      return complain("I2", `${name} was merged into an activation that does not exist`);
    const reply = messages.find(({ activation }) => activation === host.id);
    if (reply !== undefined && !reply.causes.some((cause) => cause === row.cause))
      complain("I2", `${name} was merged into ${host.id}, but the reply does not name its message`);
  }
  for (const bot of bots) {
    const answered = messages.filter(({ author }) => author === bot).flatMap(({ causes }) => causes);
    if (new Set(answered).size < answered.length) complain("I2", `a message was answered twice by one agent`);
  }

  // Rest: chains of bots stay within their limits, and the limits never skip a message of a person.
  const chains = Map.groupBy(
    activations.filter(({ state }) => state === "replied"),
    ({ root, room }) => `${root} ${room}`,
  );
  for (const [chain, rows] of chains) {
    const owed = rows.filter(({ depth, trigger }) => depth === 0 && trigger !== "ambient").length;
    if (rows.length > Math.max(MAX_REPLIES, owed)) complain("rest", `${chain} led to ${rows.length} replies`);
    if (rows.some(({ depth }) => depth > MAX_CHAIN)) complain("rest", `${chain} is deeper than ${MAX_CHAIN}`);
  }
  for (const { id, depth, skip, trigger } of activations)
    if (depth === 0 && trigger !== "ambient" && (skip === "depth" || skip === "replies"))
      complain("rest", `${id} answers a person, but was skipped by the limit "${skip}"`);
  for (const { id, ready_at, state } of activations)
    if (ready_at > 0 && state === "replied") complain("rest", `${id} replied before it passed its gates`);

  // I3: a call whose outcome is unknown is reported as unknown.
  for (const step of steps) {
    const row = activations.find(({ id }) => id === step.activation);
    // The reply contains the model's final answer. After a full disk, the step may lack it.
    const isFinalAnswer =
      !isClean &&
      step.kind === "model" &&
      step.step ===
        Math.max(...steps.filter(({ activation }) => activation === step.activation).map((other) => other.step));
    // A model call of a compaction whose result is no longer needed.
    const isOfCompaction = step.step < 0 && step.effect === "pure";
    if (row?.state === "replied" && step.state === "started" && !isFinalAnswer && !isOfCompaction)
      complain(
        "I3",
        `${step.activation} replied, but its step ${step.step} (${step.kind} ${step.effect}) is still started`,
      );
  }
  for (const { activation, step, state, effect } of steps) {
    // Hearth does not repeat a call of a loop of another release: it tells the model that the
    // outcome is unknown.
    if (state === "unknown" && effect !== "plain" && !house.ofOlderRelease.has(activation))
      complain("I3", `step ${step} of ${activation} is ${effect}, but its outcome is unknown`);
  }
  const unknown = steps.filter(
    ({ state, activation }) =>
      state === "unknown" && activations.some(({ id, state: end }) => id === activation && end === "replied"),
  );
  if (isClean && unknown.length > house.unknownReported.size)
    complain(
      "I3",
      `${unknown.length} calls have an unknown outcome, but only ${house.unknownReported.size} were reported to the model`,
    );
  for (const row of activations) {
    const own = steps
      .filter(({ activation, step }) => activation === row.id && step >= 0)
      .map(({ step }) => step)
      .sort((a, b) => a - b);
    if (own.some((step, index) => step !== index))
      complain("I3", `the journal of ${row.id} has gaps: ${own.join(" ")}`);
  }

  // I2, continued: deliveries to platforms.
  for (const row of outbox) {
    const platform = platforms.find(({ name }) => name === row.channel);
    const notice = outbox.find(({ id }) => id === row.ends);
    // A delivery that removes the buttons of a notice edits that notice. Repeating the edit is
    // harmless.
    const copies =
      (row.ends === null
        ? platform?.arrived.filter(({ key }) => key === row.id).length
        : platform?.endings.filter(({ messageId }) => messageId === notice?.external).slice(0, 1).length) ?? 0;
    const resent = house.resends.get(row.id) ?? 0;
    const name = `the delivery of "${row.body}" (${row.id}) by ${row.channel}`;
    if (row.state === "queued" || row.state === "sending") complain("I2", `${name} is still ${row.state}`);
    if (copies > 1 + resent) complain("I2", `${name} arrived ${copies} times`);
    if (row.state === "sent" && copies === 0) complain("I2", `${name} is "sent", but the platform does not have it`);
    // A late request of a replaced daemon may arrive after the platform refused its successor's.
    if (row.state === "refused" && row.ends === null && copies > resent && platform?.late.has(row.id) !== true)
      complain("I2", `${name} is "refused", but the platform has it`);
    if (row.state === "unknown" && (platform?.takesKeys === true || row.ends !== null))
      complain("I2", `${name} is "unknown", although it could be repeated`);
  }
  // A stopped reply is not sent to channels.
  for (const reply of messages.filter(({ activation, stopped }) => activation !== undefined && stopped !== true)) {
    const origins = new Set(
      inbound
        .filter(({ event }) => reply.causes.some((cause) => cause === event))
        .map(({ channel, conversation }) => `${channel} ${conversation}`),
    );
    for (const origin of origins)
      if (
        !outbox.some(
          ({ event, channel, conversation }) => event === reply.id && `${channel} ${conversation}` === origin,
        )
      )
        complain("I2", `the reply "${reply.body.text}" was never sent to ${origin}`);
  }
  for (const platform of isShared ? [] : platforms)
    checkOrder(
      platform.name,
      platform.arrived.map(({ key }) => key),
    );
  /** Messages of a conversation are delivered in the order of their room. */
  function checkOrder(channel: string, arrived: readonly string[]): void {
    const seen = new Map<string, { readonly offset: number; readonly place: number }>();
    const isFirst = new Set<string>();
    for (const key of arrived) {
      const row = outbox.find(({ id }) => id === key);
      const message = byId.get(row?.event ?? "");
      if (row === undefined || message === undefined || isFirst.has(key) || (house.resends.get(key) ?? 0) > 0) continue;
      isFirst.add(key);
      const where = `${row.conversation} ${message.room}`;
      const before = seen.get(where);
      if (before !== undefined && before.offset > message.offset)
        complain("order", `${channel} received "${message.body.text}" after a later message`);
      seen.set(where, { offset: message.offset, place: row.place });
    }
  }
};

/** Every content that a version names can be read from intact blobs. */
const checkVersions = async ({ disk: { store, blobs }, complain }: House): Promise<void> => {
  const versions = await store.select({ table: "brain_versions", order: [{ column: "place" }] });
  for (const { agent, path, place, before, after } of versions) {
    const read = createBodyReader({ agent, hash, store, blobs: { get: (name) => blobs.intact(name) } });
    for (const content of [before, after])
      if (content !== null)
        await read(content).catch((error: unknown) =>
          complain("versions", `version ${place} of ${path} of ${agent} cannot be read: ${String(error)}`),
        );
  }
};

/**
 * I1 for brains: every text that the house accepted is a version or the current text. The last text
 * that was saved in an editor is too.
 */
const checkNotes = async ({ disk, notes, complain }: House, records: readonly Row<"records">[]): Promise<void> => {
  const versions = await disk.store.select({ table: "brain_versions", where: { path: NOTES } });
  const files = await disk.store.select({ table: "brain_files", where: { path: NOTES } });
  for (const handle of ["main", "aide"]) {
    const agent = records.find((row) => row.type === "agent" && row.handle === handle)?.id;
    const kept = new Set(versions.filter((row) => row.agent === agent).map(({ after }) => after));
    const text = await disk.brains.read(`${handle}/${NOTES}`);
    const own = notes.filter((note) => note.agent === handle);
    for (const note of own) {
      if (kept.has(hash(note.text)) || text === note.text) continue;
      if (note.isKept || own.findLast(({ isKept }) => !isKept) === note)
        complain("I1", `${handle} has lost ${JSON.stringify(note.text)}, ${note.isKept ? "written" : "saved by hand"}`);
    }
    const known = files.find((row) => row.agent === agent);
    const isSaved = own.some((note) => !note.isKept && note.text === text);
    if (known !== undefined && known.hash !== (text === undefined ? null : hash(text)) && !isSaved)
      complain("I1", `the notes of ${handle} are not the text that was written last`);
  }
};
