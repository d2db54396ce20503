/**
 * Alerts of the house to a person, by Web Push and in the linked conversations of chat platforms:
 * new logins, and messages of other areas. The person's notification rules apply.
 */
import {
  createWorkers,
  type Row,
  type Write,
  type DurableStreams,
  type Log,
  type Notices,
  type Store,
} from "../../kernel/index.ts";
import type { People } from "../../people/index.ts";
import { type AgentId, idOfStream, type SessionBegan, type SessionId, type Stored, type World } from "@hearth/protocol";
import { readBrowser } from "@hearth/protocol/browser-name";
import { isQuiet } from "@hearth/protocol/push-rules";
import type { Channels } from "../house-channels.ts";
import type { Push } from "../push/house-push.ts";
import { createLinkedConversations } from "./linked-conversations.ts";

export interface Alert {
  readonly title: string;
  readonly text: string;
  /** Below `/ui`, such as `/settings/account`. */
  readonly path: string;
  /**
   * Identifies the alert. A repeated alert is sent once to a chat platform, and replaces the
   * earlier one on a device.
   */
  readonly about: string;
  /** UTC milliseconds. The alert is not sent to devices that were added later. */
  readonly at: number;
  /** The session whose device does not get the alert. */
  readonly except?: SessionId;
}

export interface Alerts {
  /**
   * Sends an alert. Resolves after the last attempt, with `none` if the person wants no
   * notifications. The result `quiet` means that it is the person's quiet time, and that the caller
   * can send the alert later.
   */
  send(person: AgentId, alert: Alert, signal: AbortSignal): Promise<"sent" | "none" | "quiet">;
  /** Alerts people about logins from unknown devices until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

export interface AlertsOptions {
  readonly kernel: {
    readonly world: World;
    readonly log: Log;
    readonly store: Store;
    readonly streams: DurableStreams;
    readonly notices: Notices;
  };
  readonly people: Pick<People, "records">;
  readonly channels: Pick<Channels, "list">;
  readonly push: Pick<Push, "alert" | "choices">;
}

const READER = "alerts";
/** Maximum age of a login in an alert. Quiet hours are shorter. */
const MAX_AGE_MS = 24 * 60 * 60_000;
/** Number of the latest logins that are compared with a new one. */
const MAX_COMPARED_LOGINS = 100;
/** Pause before the next try, after a failure or in quiet hours. */
export const RETRY_MS = 60_000;
const MAX_NAME_LENGTH = 40;

type Login = Stored<SessionBegan>;

export const createAlerts = ({ kernel, people, channels, push }: AlertsOptions): Alerts => {
  const { world, log, store, streams, notices } = kernel;
  const { clock } = world;
  const linkedTo = createLinkedConversations({ store, records: people.records, channels });
  const startedAt = clock.now();

  const toNotices = async (person: AgentId, { title, text, about }: Alert): Promise<readonly Write[]> => {
    const rows: Write[] = [];
    for (const { channel, conversation } of await linkedTo(person)) {
      const notice = { channel, conversation, text: `${title}\n${text}`, idParts: ["alert", about] };
      rows.push(...(await notices.planNotice(notice)));
    }
    return rows;
  };

  const send: Alerts["send"] = async (person, alert, signal) => {
    const { rule, quiet } = await push.choices(person);
    if (rule === "none") return "none";
    if (quiet !== undefined && isQuiet(quiet, clock.now())) return "quiet";
    const writes = await toNotices(person, alert);
    if (writes.length > 0) await store.commit({ writes });
    notices.poke();
    const { title, text, path, about, at, except } = alert;
    const payload = { title, body: text, path };
    await push.alert(person, { payload, about, at, ...(except === undefined ? {} : { except }) }, signal);
    return "sent";
  };

  /** Returns the latest logins of the person, newest first. */
  const loginsOf = async (person: AgentId): Promise<readonly Row<"events">[]> =>
    store.select({
      table: "events",
      where: { stream: `agent:${person}`, type: "session-began" },
      order: [{ column: "offset", descending: true }],
      limit: MAX_COMPARED_LOGINS,
    });

  const readLogin = async (person: AgentId, { id }: Row<"events">): Promise<Login | undefined> => {
    const event = await streams.find(`agent:${person}`, id);
    return event?.type === "session-began" ? event : undefined;
  };

  /** A device is known if the person logged in before with the same browser from the same address. */
  const isKnown = async (person: AgentId, login: Login, earlierLogins: readonly Row<"events">[]): Promise<boolean> => {
    if (earlierLogins.length === 0) return true;
    for (const row of earlierLogins) {
      const earlierLogin = await readLogin(person, row);
      if (earlierLogin?.about === login.about && earlierLogin.address === login.address) return true;
    }
    return false;
  };

  /** Returns whether all logins were handled. In quiet hours, the remaining logins are handled later. */
  const readLogins = async (person: AgentId, signal: AbortSignal): Promise<boolean> => {
    const stream = `agent:${person}` as const;
    const [row] = await store.select({ table: "readers", where: { reader: READER, stream } });
    const logins = await loginsOf(person);
    const lastOffset = row?.offset ?? 0;
    for (const login of logins.filter(({ offset }) => offset > lastOffset).toReversed()) {
      const event = await readLogin(person, login);
      // Without a stored offset, alerts began with this start.
      const isNew = login.at > clock.now() - MAX_AGE_MS && (row !== undefined || login.at >= startedAt);
      const earlierLogins = logins.filter(({ offset }) => offset < login.offset);
      if (isNew && event !== undefined && !(await isKnown(person, event, earlierLogins)))
        if ((await send(person, toAlert(event), signal)) === "quiet") return false;
      if (signal.aborted) return true;
      await store.commit({
        writes: [{ kind: "put", table: "readers", row: { reader: READER, stream, offset: login.offset } }],
        isReproducible: true,
        mayWait: true,
      });
    }
    return true;
  };

  return {
    send,
    async run(signal) {
      const workers = createWorkers({ sleep: clock.sleep, signal });
      const startReading = (person: AgentId): void =>
        workers.start(person, async ({ pause }) => {
          while (!signal.aborted) {
            try {
              if (await readLogins(person, signal)) return;
            } catch (error) {
              log.write("error", "logins could not be read for alerts and will be read again", { person, error });
            }
            await pause(RETRY_MS);
          }
        });
      const changedStreams = streams.watch(["agent"], signal);
      const persons = (await people.records.list("agent")).filter(({ content }) => content.kind === "human");
      for (const { id } of persons) startReading(id);
      for await (const names of changedStreams) {
        for (const name of names) {
          const id = idOfStream(name);
          if ((await people.records.find("agent", id))?.content.kind === "human") startReading(id);
        }
      }
      await workers.idle();
    },
  };
};

const toAlert = ({ about, address, session, at }: Login): Alert => ({
  title: "New login to Hearth",
  text: `${nameOf(about)}${address === undefined ? "" : `, from ${address}`}. If this was not you, log the device out: Settings → Account.`,
  path: "/settings/account",
  about: `login ${session}`,
  at,
  except: session,
});

const nameOf = (about: string): string => {
  const { browser, system } = readBrowser(about);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  const name = about.trim().slice(0, MAX_NAME_LENGTH).toWellFormed();
  return name === "" ? "An unknown browser" : name;
};
