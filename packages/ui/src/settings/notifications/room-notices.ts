/** Notifies the person of events in rooms while no tab is in front, by the rules of the house. */
import { observe, type RoomEntry } from "@hearth/client";
import type {
  AgentId,
  ApprovalAsked,
  MessageEvent,
  PushChoices,
  PushPayload,
  RoomId,
  RoomRecord,
  Stored,
} from "@hearth/protocol";
import { isQuiet, wantsApproval, wantsMessage } from "@hearth/protocol/push-rules";
import { toVisible } from "../../design/visible.ts";
import { hasRight } from "../../house/may.ts";
import { roomPath } from "../../house/paths.ts";
import { roomTitle } from "../../house/room-title.ts";
import type { Ui } from "../../house/ui.tsx";
import { isPageNotifying } from "./page-setting.ts";
import * as texts from "./text.ts";

/** Number of latest events in which the messages that a reply answers are looked up. */
const HISTORY_LIMIT = 100;
/** As for push services: older events are not announced. */
const MAX_AGE_MS = 3_600_000;
const MAX_TEXT = 200;

/** Watches all rooms of the shown house. Returns a function that stops it. */
export const watchRooms = (ui: Ui): (() => void) => {
  const { house } = ui;
  const heads = new Map<RoomId, number>();
  const roomsInProgress = new Set<RoomId>();
  const stopController = new AbortController();
  let isFirstCheck = true;

  const notifyOfRoom = async ({ room, head }: RoomEntry, announcedOffset: number): Promise<void> => {
    roomsInProgress.add(room.id);
    try {
      for (const notice of await noticesOf(ui, room.id, announcedOffset, stopController.signal))
        if (!stopController.signal.aborted) await (await ui.page.push()).notify(notice);
      heads.set(room.id, head);
    } catch {
      // The house did not answer: the next event of any room tries again.
      return;
    } finally {
      roomsInProgress.delete(room.id);
    }
    checkRooms();
  };
  const checkRooms = (): void => {
    const { state, rooms } = house.snapshot();
    if (stopController.signal.aborted || state.kind !== "ready") return;
    for (const entry of rooms) {
      const announcedOffset = heads.get(entry.room.id) ?? (isFirstCheck ? entry.head : 0);
      if (entry.head === announcedOffset) heads.set(entry.room.id, announcedOffset);
      else if (!roomsInProgress.has(entry.room.id)) observe(notifyOfRoom(entry, announcedOffset));
    }
    isFirstCheck = false;
  };

  checkRooms();
  const unsubscribe = house.onChange(checkRooms);
  return () => {
    stopController.abort();
    unsubscribe();
  };
};

/** Returns the notices for the events after `announcedOffset`. Returns none while the person looks at this page. */
const noticesOf = async (
  ui: Ui,
  room: RoomId,
  announcedOffset: number,
  signal: AbortSignal,
): Promise<readonly PushPayload[]> => {
  const { client, clock, house, page, storage } = ui;
  if (!isPageNotifying(storage)) return [];
  const browser = await page.push();
  if (!browser.isPermitted() || browser.isInFront()) return [];
  const { choices, devices } = await (await client.notifications()).show();
  // The push service notifies this browser already.
  if (devices.some(({ isThis }) => isThis) && (await browser.isSubscribed())) return [];
  if (choices.quiet !== undefined && isQuiet(choices.quiet, clock.now())) return [];
  const { events } = await client.rooms.events(room, { before: "end", limit: HISTORY_LIMIT, signal });
  const newEvents = events.filter(({ offset, at }) => offset > announcedOffset && clock.now() - at < MAX_AGE_MS);
  const entry = house.snapshot().rooms.find((candidate) => candidate.room.id === room);
  return entry === undefined ? [] : selectNotices(ui, { entry, choices, events, newEvents });
};

interface RoomEvents {
  readonly entry: RoomEntry;
  readonly choices: PushChoices;
  /** The last events of the room. */
  readonly events: readonly Stored[];
  /** The events of `events` that were not announced yet. */
  readonly newEvents: readonly Stored[];
}

/** Returns notices for the last message that the person wants to know of, and for each pending approval. */
const selectNotices = (ui: Ui, { entry: { room }, choices, events, newEvents }: RoomEvents): readonly PushPayload[] => {
  const { me } = ui.house.snapshot();
  if (me === undefined) return [];
  const isOwn = (id: string): boolean =>
    events.some((event) => event.id === id && event.type === "message" && event.author === me.agent.id);
  const notices = new Map<string, PushPayload>();
  for (const event of newEvents) {
    if (event.type === "message" && event.damaged !== true) {
      const isReply = [...(event.replyTo === undefined ? [] : [event.replyTo]), ...event.causes].some(isOwn);
      if (wantsMessage(choices, { message: event, room, person: me.agent.id, isReply }))
        notices.set(room.id, fromMessage(ui, event, room, choices.showsText));
    } else if (event.type === "approval-asked" && wantsApproval(choices, room.id) && mayDecide(ui, event))
      notices.set(event.approval, fromApproval(ui, event, room));
    else if (event.type === "approval-decided") notices.delete(event.approval);
  }
  return [...notices.values()];
};

const nameOf = (ui: Ui, agent: AgentId): string | undefined => ui.house.snapshot().agents.get(agent)?.content.name;

const fromMessage = (ui: Ui, { author, body }: Stored<MessageEvent>, room: RoomRecord, showsText: boolean) => {
  const text = body.text.slice(0, MAX_TEXT).toWellFormed();
  return {
    title: toVisible(nameOf(ui, author) ?? texts.hearth),
    body: showsText && text.trim() !== "" ? toVisible(text) : roomTitle(room),
    path: roomPath(room.handle),
    tag: room.id,
  };
};

const fromApproval = (ui: Ui, { agent, approval }: ApprovalAsked, room: RoomRecord): PushPayload => ({
  title: toVisible(nameOf(ui, agent) ?? texts.hearth),
  body: texts.asksForApproval(roomTitle(room)),
  path: roomPath(room.handle),
  tag: approval,
});

const mayDecide = (ui: Ui, { person, agent }: ApprovalAsked): boolean => {
  const { me, agents } = ui.house.snapshot();
  return person === undefined ? hasRight(me, "approve", agents.get(agent)?.house) : person === me?.agent.id;
};
