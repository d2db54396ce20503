/**
 * Runs one simulated house: starts and kills its daemons and performs the operations of its people.
 */
import { createChance } from "./chance.ts";
import { createFamilyRunner } from "./family-runner.ts";
import { type Answer, type Daemon, type House, type Json, NOTES } from "./house.ts";
import type { AcceptedMessage } from "./invariants.ts";
import { createJobRunner } from "./job-runner.ts";
import { LISTENER, MAX_EVENTS, SWEEP_MS, WEEK_MS } from "./stage-terms.ts";
import { PAGE_HOST } from "./plan.ts";
import { auditedTo, checkIdle, checkRepeats, takeSnapshot } from "./restore-act.ts";
import type { Decision } from "./approval-decisions.ts";
import { checkAgentFiles, putKeptFiles } from "./agent-files.ts";
import { createUploadRunner } from "./upload-runner.ts";
import { checkVoiceNotes } from "./voice-notes.ts";
import type { Operation, Person } from "./workload.ts";

export const createStage = (house: House, shared: boolean, chance = createChance(1)) => {
  const { timeline, faults } = house;
  const accepted: AcceptedMessage[] = [];
  /** Requests without a response. */
  const pending = new Set<string>();
  const slots: (Daemon | undefined)[] = shared ? [undefined, undefined] : [undefined];
  /** Increases when all daemons are replaced. Restart loops of an earlier generation end. */
  let generation = 0;
  let ben = "";
  let group = "";
  let main = "";

  const holds = chance.branch("holds");

  const later = (ms: number): Promise<void> => new Promise((resolve) => void timeline.at(ms, resolve));

  /** Whether the owner decides about a hold right after the start. */
  let decidesHolds = true;

  /**
   * Lets the owner continue a house on hold, some seconds after its start. If the daemon dies
   * first, its successor is on hold too.
   */
  const decideHold = async (daemon: Daemon): Promise<void> => {
    const isHeld = await daemon.warden.then(
      (warden) => warden.isOnHold(),
      () => false,
    );
    if (!isHeld || !decidesHolds) return;
    await later(1000 + holds.next() * 5000);
    await daemon.ask("POST", "/api/restore", { decision: "continue" }).catch(() => undefined);
  };

  /** Opens a daemon, and opens another one after each death. */
  const keepOpen = (slot: number, isShared = shared): void => {
    const daemon = house.open({ shared: isShared });
    const own = generation;
    slots[slot] = daemon;
    void decideHold(daemon);
    void daemon.life.died.then(async () => {
      if (own !== generation) return;
      slots[slot] = undefined;
      await later(chance.next() * 1500);
      if (own === generation) keepOpen(slot, isShared);
    });
  };

  /**
   * Repeats a request until a daemon answers without a server error, as a client with an outbox
   * does.
   */
  const insist = async (method: string, path: string, body?: unknown, key?: string): Promise<Json> => {
    for (;;) {
      const daemon = chance.pick(slots);
      try {
        if (daemon !== undefined) {
          const { status, json } = await daemon.ask(method, path, body, key);
          if (status < 500) return json;
        }
      } catch {
        // The daemon died. Retry with the next one.
      }
      await later(50 + chance.next() * 400);
    }
  };

  /** Sends a request once. `undefined` if there was no response. */
  const askOnce = async (method: string, path: string, body?: unknown, key?: string): Promise<Answer | undefined> => {
    const what = `${method} ${path}`;
    pending.add(what);
    try {
      return await chance.pick(slots)?.ask(method, path, body, key);
    } catch {
      return undefined;
    } finally {
      pending.delete(what);
    }
  };

  /** Sends a request once. `undefined` if there was no response or an error. */
  const ask = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await askOnce(method, path, body);
    return answer === undefined || answer.status >= 400 ? undefined : answer.json;
  };

  const activations = async (): Promise<Json[]> => [
    ...((await ask("GET", "/api/agents/main/activations")) ?? []),
    ...((await ask("GET", "/api/agents/aide/activations")) ?? []),
  ];

  const decide = async (nth: number, decision: Decision, by: Person): Promise<void> => {
    const approval = await house.decisions.asked(nth);
    if (approval === undefined) return;
    if (by === "owner") house.decisions.record(approval, decision);
    const body = decision === "deny" ? { decision } : { decision: "allow", scope: decision };
    const answer = await askOnce("POST", `/api/approvals/${approval.id}`, body, by === "ben" ? ben : undefined);
    if (by === "ben" && answer !== undefined && answer.status < 400)
      house.complain("approval", `${by} decided ${approval.id} without permission`);
  };

  const removeRule = async (nth: number): Promise<void> => {
    const rule = await house.decisions.rule(nth);
    if (rule !== undefined) await ask("DELETE", `/api/approval-rules/${rule.id}`);
  };

  /** Edits a message that a compaction has summarised, then posts another one. */
  const changeSummarised = async (): Promise<void> => {
    const [summary] = await house.disk.store.select({ table: "compactions", where: { room: main, state: "done" } });
    const [first] = accepted.filter(({ room, by }) => room === main && by === "owner");
    if (summary === undefined || first === undefined) return;
    await ask("PATCH", `/api/rooms/${main}/messages/${first.event}`, { text: "m90 do=pure" });
    await post("main", "owner", "m91", "the last one");
  };

  /** Number of resume requests that began or ended, by agent or "house". */
  const released = new Map<string, number>();
  const hold = async (who: string, path: string): Promise<void> => {
    const before = released.get(who);
    const isHeld = (await ask("POST", path)) !== undefined;
    // A stop and a resume that overlap have no known order.
    if (isHeld && released.get(who) === before && !shared) house.held.add(who);
  };
  const release = async (who: string, path: string): Promise<void> => {
    released.set(who, (released.get(who) ?? 0) + 1);
    house.held.delete(who);
    await ask("POST", path);
    released.set(who, (released.get(who) ?? 0) + 1);
    house.held.delete(who);
  };

  const decideDelivery = async (decision: "resend" | "leave"): Promise<void> => {
    const [one] = await house.disk.store.select({ table: "outbox", where: { state: "unknown", ended_at: null } });
    if (one === undefined) return;
    const count = (by: number): void =>
      void house.resends.set(one.id, (house.resends.get(one.id) ?? 0) + (decision === "resend" ? by : 0));
    // Count before the request: its response may be lost.
    count(1);
    const answer = await askOnce("POST", `/api/outbox/${one.id}`, { decision });
    // The delivery had already been decided.
    if (answer?.status === 409) count(-1);
  };

  const roomPath = (room: "main" | "group"): string => `/api/rooms/${room === "main" ? main : group}`;

  const post = async (
    room: "main" | "group",
    by: "owner" | "ben",
    text: string,
    key: string,
    attachments?: readonly string[],
  ): Promise<void> => {
    const json = await insist(
      "POST",
      `${roomPath(room)}/messages`,
      { text, idempotencyKey: key, ...(attachments === undefined ? {} : { attachments }) },
      by === "ben" ? ben : undefined,
    );
    accepted.push({ key, room: json.room, event: json.id, by });
  };

  const jobs = createJobRunner({ house, askOnce, insist });
  const families = createFamilyRunner({
    ...{ house, askOnce, insist, later },
    daemonAt: (slot) => slots[slot],
    rooms: () => [main, group],
  });

  const uploads = createUploadRunner({
    house,
    later,
    pathOf: roomPath,
    async sendOnce(...request) {
      try {
        return await chance.pick(slots)?.send(...request);
      } catch {
        return undefined;
      }
    },
    post: (room, text, key, attachments) => post(room, "owner", text, key, attachments),
    async deleteMessage(key) {
      const known = accepted.find((message) => message.key === key);
      return (
        known !== undefined && (await ask("DELETE", `/api/rooms/${known.room}/messages/${known.event}`)) !== undefined
      );
    },
  });

  const perform = async (operation: Operation): Promise<void> => {
    switch (operation.do) {
      case "post":
        return post(operation.room, operation.by, operation.text, operation.key);
      case "say-stop":
        return post(operation.room, "owner", chance.pick(["stop", " Stop! ", "/stop"]), operation.key);
      case "edit":
      case "delete": {
        const known = accepted.find(({ key, by }) => key === operation.key && by === "owner");
        if (known === undefined) return;
        const path = `/api/rooms/${known.room}/messages/${known.event}`;
        await (operation.do === "edit"
          ? ask("PATCH", path, { text: `m9${operation.key.slice(1)} do=pure` })
          : ask("DELETE", path));
        return;
      }
      case "stop-one": {
        const open = (await activations()).filter(({ endedAt }) => endedAt === undefined);
        const approval = open[operation.nth % Math.max(1, open.length)];
        if (approval !== undefined) await ask("POST", `/api/activations/${approval.id}/stop`);
        return;
      }
      case "stop-agent":
        return hold(operation.agent, `/api/agents/${operation.agent}/stop`);
      case "resume-agent":
        return release(operation.agent, `/api/agents/${operation.agent}/resume`);
      case "stop-all":
        return hold("house", "/api/stop-all");
      case "resume-all":
        return release("house", "/api/resume-all");
      case "decide":
        return decide(operation.nth, operation.decision, operation.by);
      case "remove-rule":
        return removeRule(operation.nth);
      case "decide-delivery":
        return decideDelivery(operation.decision);
      case "update":
        return house.platforms[operation.channel]?.push(operation.inbound);
      case "crash":
        return slots[operation.daemon]?.life.die("it was killed");
      case "close":
        return slots[operation.daemon]?.close().catch(() => {});
      case "kill-cell":
        return void slots[operation.daemon]?.cells.kill();
      case "suspend":
        return slots[operation.daemon]?.life.suspend(operation.ms);
      case "fault": {
        const before = { ...faults };
        const { what } = operation;
        const isModel = what === "model" || what === "channel";
        const full = what === "diskFull" ? (["databaseFull", "blobsFull"] as const) : isModel ? [] : [what];
        for (const part of full) faults[part] = true;
        if (isModel) faults[what] = 0.6;
        await later(operation.ms);
        for (const part of full) faults[part] = false;
        if (isModel) faults[what] = Math.min(before[what], 0.4);
        return;
      }
      case "write": {
        const path = `/api/agents/${operation.agent}/brain/file?path=${NOTES}`;
        const answer = await askOnce("PUT", path, { text: operation.text });
        if (answer?.status === 200) house.notes.push({ ...operation, isKept: true });
        return;
      }
      case "edit-by-hand": {
        // Skip while the brain is being created.
        const path = `${operation.agent}/${NOTES}`;
        if ((await house.disk.brains.read(path)) === undefined) return;
        await house.disk.brains.write(path, operation.text);
        house.notes.push({ ...operation, isKept: false });
        return;
      }
      case "set-clock":
        faults.skewMs += operation.ms;
        return house.jobs.history.clockSet(faults.skewMs);
      case "job-add":
      case "job-edit":
      case "job-pause":
      case "job-resume":
      case "job-cancel":
      case "job-run":
      case "job-by-hand":
      case "near-minute":
        return jobs.perform(operation);
      case "upload":
        return uploads.perform(operation);
      default:
        return families.perform(operation);
    }
  };

  const resumeAll = async (): Promise<void> => {
    await insist("POST", "/api/resume-all");
    for (const agent of ["main", "aide"]) await insist("POST", `/api/agents/${agent}/resume`);
  };

  /** Decides the approvals that open activations wait for, until all activations have ended. */
  const endOpen = async (): Promise<boolean> => {
    for (let waits = 0; waits < 50; waits += 1) {
      await later(60_000);
      // An open activation may still ask for an approval.
      const open = await Promise.all(
        (["queued", "running", "waiting"] as const).map((state) =>
          house.disk.store.select({ table: "activations", where: { state } }),
        ),
      );
      if (open.flat().length === 0) return true;
      await decide(0, chance.pick(["once", "deny", "session", "rule"]), "owner");
    }
    return false;
  };

  return {
    accepted,
    later,

    /**
     * Advances time until `work` is done and, unless `until` is "when done", the house is at rest.
     */
    async settle(work: Promise<unknown>, until: "at rest" | "when done" = "at rest"): Promise<void> {
      let isDone = false;
      let failure: unknown;
      void work.then(
        () => (isDone = true),
        (error: unknown) => {
          isDone = true;
          failure = error;
        },
      );
      const isOver = (): boolean => until === "when done" && isDone;
      const isQuiet = await timeline.run({ events: MAX_EVENTS, untilMs: timeline.now() + WEEK_MS, isOver });
      if (failure !== undefined) throw failure;
      if (!isQuiet) house.complain("I7", "the house does not come to rest");
      else if (!isDone && !shared) house.complain("I2", `requests were never answered: ${[...pending].join(", ")}`);
    },

    /**
     * Opens the house and creates its people, agents and rooms. `alone`: only the owner and `main`.
     */
    async prepare(who: "all" | "alone" = "all"): Promise<void> {
      faults.crashes = false;
      keepOpen(0);
      if (who === "all") {
        const person = await insist("POST", "/api/agents", { content: { name: "Ben", kind: "human" } });
        ben = (await insist("POST", "/api/keys", { name: "ben", agent: person.id })).key;
        group = (await insist("POST", "/api/rooms", { content: { name: "Group" } })).id;
        await insist("POST", "/api/agents", { content: LISTENER });
      }
      main = (await insist("GET", "/api/rooms/main")).id;
      const owner = (await insist("GET", "/api/agents/owner")).id;
      for (const { name: channel } of house.platforms) {
        const row = { channel, external: "s1", name: "Ana", person: owner, state: "allowed", created_at: 0 } as const;
        await house.disk.store.commit({
          writes: [{ kind: "put", table: "senders", row: { ...row, code_hash: null, code_expires_at: null } }],
        });
      }
      if (house.families.has("egress"))
        for (const handle of ["main", "aide"])
          await insist("PATCH", `/api/agents/${handle}`, { content: { egress: [{ host: PAGE_HOST }] } });
      if (house.families.has("uploads")) await putKeptFiles(house.disk, [main, group]);
      if (shared) keepOpen(1);
    },

    async perform(operations: readonly Operation[]): Promise<void> {
      await Promise.all(
        operations.map(async (operation) => {
          await later(operation.at);
          await perform(operation);
        }),
      );
    },

    /**
     * Ends all faults and decides all holds and approvals. `reopens`: the daemons end first, and a
     * single daemon opens on their disk.
     */
    async finish(reopens: boolean): Promise<void> {
      Object.assign(faults, { crashes: false, databaseFull: false, blobsFull: false, model: 0, channel: 0 });
      faults.memory = undefined;
      if (house.jobs.history.jobs().length > 0) {
        await jobs.look();
        await later(70_000);
        await jobs.end(chance.pick(["cancel", "pause", "by hand"]), later);
      }
      await later(130_000);
      // With two daemons, work that one has left to the other may wait until a daemon reopens.
      if (!shared) await house.decisions.checkLanes();
      if (reopens) {
        generation += 1;
        // Two daemons end as in a power failure, without waiting for each other.
        for (const daemon of slots) if (shared) daemon?.life.die("the power went");
        await Promise.all(slots.map((daemon) => daemon?.close().catch(() => {})));
        slots.splice(1);
        keepOpen(0, false);
      }
      house.held.clear();
      await resumeAll();
      await changeSummarised();
      await families.check();
      await uploads.check();
      await endOpen();
      await checkAgentFiles(house);
      await checkVoiceNotes(house);
      for (let times = 0; times < 8; times += 1) await decideDelivery(chance.pick(["resend", "leave", "leave"]));
      while ((await house.decisions.rule(0)) !== undefined) await removeRule(0);
      await later(60_000);
      generation += 1;
    },

    /**
     * Puts the copy of the disk back and opens the house on it. The owner lists the work that would
     * be repeated, and decides.
     */
    async restoreCopy(): Promise<void> {
      await Promise.all(slots.map((daemon) => daemon?.close().catch(() => {})));
      const audited = await auditedTo(house);
      const before = takeSnapshot(house);
      if (!(await house.putCopyBack())) return;
      const complaints = house.complaints.length;
      const isBehind = (await auditedTo(house)) < audited;
      decidesHolds = false;
      slots.splice(1);
      keepOpen(0, false);
      const { work, onHold } = await insist("GET", "/api/restore");
      if (isBehind && onHold !== true) house.complain("restore", "the house opened an older copy and is not on hold");
      await later(60_000);
      if (onHold === true) {
        slots[0]?.life.die("it was killed");
        await later(10 * 60_000);
        checkIdle(house, before, "while the house was on hold");
      }
      const decidedAt = house.jobs.history.wall();
      const decision = chance.pick(["continue", "discard"] as const);
      if (onHold === true) await insist("POST", "/api/restore", { decision });
      await resumeAll();
      if (!(await endOpen())) house.complain("restore", `activations are still open after ${decision}`);
      if (onHold === true && decision === "discard")
        checkIdle(house, before, "after the owner discarded what was queued");
      else await checkRepeats(house, before, work, decidedAt);
      // Far sides report every repetition. `checkRepeats` reports those that the list did not
      // contain.
      house.dropComplaints(complaints, ["restore", "bug", "I7"]);
      generation += 1;
    },

    /** Advances the clock and lets retention sweep, first while daemons crash. */
    async passTime(ms: number): Promise<void> {
      await Promise.all(slots.map((daemon) => daemon?.close().catch(() => {})));
      slots.splice(1);
      faults.skewMs += ms;
      house.jobs.history.clockSet(faults.skewMs);
      faults.crashes = true;
      keepOpen(0, false);
      await later(3 * SWEEP_MS);
      faults.crashes = false;
      slots[0]?.life.die("it was killed");
      await later(SWEEP_MS);
      for (const room of [main, group]) await insist("GET", `/api/rooms/${room}/events`);
      generation += 1;
    },
  };
};
