/** Notifications by Web Push: the devices of people, their rules, and the reader that sends. */
import type { Resolver } from "../../cells/index.ts";
import type { ConfigSource, DurableStreams, Log, Store } from "../../kernel/index.ts";
import type { Principal, Logins, Permissions, Records } from "../../people/index.ts";
import type {
  AddPushDevice,
  AgentId,
  ChangePushChoices,
  PushChoices,
  PushDevice,
  PushPayload,
  PushState,
  PushTest,
  SessionId,
  HouseId,
  World,
} from "@hearth/protocol";
import { createPushDevices, type DeviceRow } from "./push-devices.ts";
import { requirePushEndpoint } from "./push-endpoint.ts";
import { createPushKey, type PushKeyStore } from "./push-key.ts";
import { createPushAttempt } from "./push-attempt.ts";
import { createPushReader, TOPIC_LENGTH } from "./push-reader.ts";
import { createPushSend } from "./push-send.ts";

export interface PushOptions {
  readonly kernel: {
    readonly world: World;
    readonly log: Log;
    readonly store: Store;
    readonly streams: DurableStreams;
    readonly config: ConfigSource;
  };
  readonly people: {
    readonly house: HouseId;
    readonly records: Records;
    readonly permissions: Permissions;
    readonly logins: Logins;
  };
  readonly own: PushKeyStore;
  readonly subtle: SubtleCrypto;
  readonly resolver: Resolver | undefined;
  /** Removes secrets of the house from a text. */
  readonly clean: (text: string) => string;
}

/** The person who asks, with the session of their browser, if there is one. */
export type PushCaller = Pick<Principal, "agent" | "session">;

export interface Push {
  show(by: PushCaller): Promise<PushState>;
  change(by: PushCaller, change: ChangePushChoices): Promise<PushState>;
  /** Returns the public key of the house. Throws `secret.locked`. */
  key(): Promise<string>;
  /** Adds a device. Throws `request.invalid` for an address that is not a public push service. */
  add(by: PushCaller, device: AddPushDevice): Promise<PushDevice>;
  /** Removes a device. Returns whether the person had it. */
  remove(agent: AgentId, id: string): Promise<boolean>;
  /** Sends one test notification to each device. */
  test(agent: AgentId): Promise<PushTest>;
  /** Sends an alert of the house to the person's devices. Resolves after the last try. */
  alert(person: AgentId, alert: PushAlert, signal: AbortSignal): Promise<void>;
  choices(person: AgentId): Promise<PushChoices>;
  /** Notifies people until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

export interface PushAlert {
  readonly payload: Omit<PushPayload, "tag">;
  /** The subject of the alert. A later alert about the same subject replaces the earlier one. */
  readonly about: string;
  /** Devices that were added later do not get the alert. */
  readonly at: number;
  /** The device of this session does not get the alert. */
  readonly except?: SessionId;
}

/** The contact for operators of push services, if the house has no public address. */
const NO_CONTACT = "mailto:nobody@example.com";

export const createPush = ({ kernel, people, own, subtle, resolver, clean }: PushOptions): Push => {
  const { world, log, store, streams, config } = kernel;
  const { house, records, permissions, logins } = people;
  const devices = createPushDevices({ world, store, logins, records });
  const key = createPushKey({ house, subtle, own });
  const rules = { resolver, allowsLoopback: () => config.current().server.loopbackWebhooks };
  const contact = (): string => config.current().server.publicUrl ?? NO_CONTACT;
  const send = createPushSend({ world, subtle, rules, key: key.find, contact });
  const attempt = createPushAttempt({ clock: world.clock, log, devices, send });
  const reader = createPushReader({ world, log, store, streams, records, permissions, devices, attempt, clean });

  const show = async (by: PushCaller): Promise<PushState> => ({
    choices: await devices.choicesOf(by.agent),
    devices: (await devices.of(by.agent)).map((row) => toDevice(row, by)),
  });

  return {
    show,
    run: reader.run,
    choices: devices.choicesOf,
    key: async () => (await key.findOrMake()).public,
    remove: devices.remove,

    async change(by, change) {
      await devices.change(by.agent, change);
      return show(by);
    },

    async add(by, device) {
      await requirePushEndpoint(device.endpoint, rules);
      return toDevice(await devices.add(by.agent, by.session, device), by);
    },

    async alert(person, { payload, about, at, except }, signal) {
      const topic = world.hash(`push ${about}`).slice(0, TOPIC_LENGTH);
      const recipients = (await devices.of(person)).filter(
        ({ session, created_at }) => created_at <= at && (except === undefined || session !== except),
      );
      const parcel = { payload: { ...payload, tag: topic }, topic };
      await Promise.all(recipients.map((device) => attempt(device, parcel, signal)));
    },

    async test(agent) {
      const payload = { title: "Hearth", body: "Notifications work on this device.", path: "/", tag: "test" };
      const outcomes = await Promise.all(
        (await devices.of(agent)).map(async (device) => {
          const outcome = await send(device, { payload, topic: "test" });
          if (outcome === "sent") await devices.sent(device.id);
          if (outcome === "gone") await devices.drop([device]);
          return outcome;
        }),
      );
      const sentCount = outcomes.filter((outcome) => outcome === "sent").length;
      return { sent: sentCount, failed: outcomes.length - sentCount };
    },
  };
};

const toDevice = ({ id, name, endpoint, session, created_at, sent_at }: DeviceRow, by: PushCaller): PushDevice => ({
  id,
  name,
  service: new URL(endpoint).host,
  isThis: session !== null && session === by.session,
  createdAt: created_at,
  ...(sent_at === null ? {} : { sentAt: sent_at }),
});
