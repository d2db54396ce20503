/** Opens the channels: the configured chat platforms, with their updates and deliveries. */
import type { Kernel, Outbox } from "../kernel/index.ts";
import type { People } from "../people/index.ts";
import type { ChokePoint, Policy, Secrets } from "../policy/index.ts";
import { lazy, lazyMethods, untilAborted } from "@hearth/protocol";
import type { Cells } from "../cells/index.ts";
import type { Models } from "../models/index.ts";
import type { Alerts, AlertsOptions } from "./alerts/house-alerts.ts";
import type { ChannelChanges } from "./channel-changes.ts";
import { type Channels, type ChannelTable, createChannels } from "./house-channels.ts";
import { createInbound, type Inbound } from "./inbound/house-inbound.ts";
import type { PassDelivery } from "./outbox/delivery-attempt.ts";
import { createOutbox } from "./outbox/house-outbox.ts";
import { createTyping, type Typing } from "./outbox/typing.ts";
import type { Push, PushOptions } from "./push/house-push.ts";
import type { Speeches } from "./speech/speeches.ts";
import { channels as builtIn } from "./table.ts";

export interface MessagingOptions {
  readonly kernel: Kernel;
  readonly people: People;
  readonly models: Pick<Models, "voice">;
  readonly secrets: Secrets;
  readonly policy: Policy;
  readonly cells: Pick<Cells, "resolver">;
  readonly subtle: SubtleCrypto;
  /** Channel kinds in addition to the built-in ones. */
  readonly table?: ChannelTable | undefined;
}

/** The channels with their inbound messages and deliveries. */
export interface Messaging {
  readonly channels: Channels;
  /** Edits of the config file. */
  readonly changes: ChannelChanges;
  readonly outbox: Outbox;
  readonly inbound: Inbound;
  readonly typing: Typing;
  /** Notifications on devices of people. */
  readonly push: Push;
  /** Messages as audio. */
  readonly speeches: Speeches;
  /** Alerts of the house to a person. */
  readonly alerts: Alerts;
}

export const openChannels = (options: MessagingOptions): Messaging => {
  const { kernel, people, secrets, policy } = options;
  const { world, store, notices, log, config, keyFiles, streams } = kernel;
  const { records, rooms, uploads, pairings, house } = people;
  const { chokePoint, holds, approvals } = policy;
  const table = { ...builtIn, ...options.table };
  const channels = createChannels({
    world,
    log,
    config,
    ...secrets.references,
    table,
  });
  const loadChanges = lazy(async () =>
    (await import("./channel-changes.ts")).createChannelChanges({ config, keyFiles, kinds: Object.keys(table) }),
  );
  const speeches = createLazySpeeches(options);
  const outbox = createOutbox({
    world,
    log,
    store,
    channels,
    speeches,
    notices,
    clean: chokePoint.leakScan.redactOutgoing,
    pass: createPassSend(chokePoint),
    uploads,
  });
  holds.onChange(outbox.poke);
  const push = createLazyPush({
    kernel,
    people,
    own: secrets.vault.own,
    subtle: options.subtle,
    resolver: options.cells.resolver,
    clean: chokePoint.leakScan.redactOutgoing,
  });
  return {
    channels,
    changes: lazyMethods(loadChanges, ["add", "change", "remove"]),
    outbox,
    inbound: createInbound({
      world,
      log,
      store,
      streams,
      records,
      rooms,
      uploads,
      pairings,
      house,
      channels,
      outbox: notices,
      decide: approvals.decideByCode,
    }),
    typing: createTyping({ clock: world.clock, store, channels }),
    push,
    speeches,
    alerts: createLazyAlerts({ kernel, people, channels, push }),
  };
};

/** Loads speech on first use, because few messages are spoken. */
const createLazySpeeches = ({ kernel, models, policy }: MessagingOptions): Speeches => {
  const { admitHomeCost } = policy;
  const load = lazy(async () =>
    (await import("./speech/speeches.ts")).createSpeeches({ kernel, voice: models.voice, admitHomeCost }),
  );
  return lazyMethods(load, ["of"]);
};

/** Loads alerts when there is a device or a channel that can get one. */
const createLazyAlerts = (
  options: AlertsOptions & { readonly push: LazyPush; readonly channels: Channels },
): Alerts => {
  const load = lazy(async () => (await import("./alerts/house-alerts.ts")).createAlerts(options));
  const { push, channels } = options;
  return {
    ...lazyMethods(load, ["send"]),
    async run(signal) {
      const [known] = await options.kernel.store.select({ table: "push_devices", limit: 1 });
      if (known === undefined && channels.list().length === 0) {
        const firstChange = Promise.withResolvers<void>();
        channels.onChange(() => firstChange.resolve());
        await Promise.race([firstChange.promise, push.hasDevice, untilAborted(signal)]);
      }
      if (!signal.aborted) await (await load()).run(signal);
    },
  };
};

type LazyPush = Push & {
  /** Resolves when a person adds a device, or the house ends. */
  readonly hasDevice: Promise<void>;
};

/**
 * Loads notifications for the first device. A house without a device neither reads rooms nor loads
 * the encryption.
 */
const createLazyPush = (options: PushOptions): LazyPush => {
  const load = lazy(async () => (await import("./push/house-push.ts")).createPush(options));
  const firstDevice = Promise.withResolvers<void>();
  return {
    ...lazyMethods(load, ["show", "change", "key", "remove", "test", "alert", "choices"]),
    hasDevice: firstDevice.promise,
    async add(by, device) {
      const addedDevice = await (await load()).add(by, device);
      firstDevice.resolve();
      return addedDevice;
    },
    async run(signal) {
      const [known] = await options.kernel.store.select({ table: "push_devices", limit: 1 });
      if (known === undefined) {
        signal.addEventListener("abort", () => firstDevice.resolve(), { once: true });
        await firstDevice.promise;
      }
      if (!signal.aborted) await (await load()).run(signal);
    },
  };
};

/** Passes a delivery through the choke point, and sends the text that remains after the leak scan. */
const createPassSend =
  (chokePoint: Pick<ChokePoint, "pass" | "leakScan">): PassDelivery =>
  async (send, begin) => {
    const text = chokePoint.leakScan.redactOutgoing(send.text);
    const verdict = await chokePoint.pass({ kind: "send", ...send, text }, begin);
    if (verdict.verdict === "allowed") return text === send.text ? "allowed" : { text };
    return verdict.verdict === "refused" ? { refused: { code: "channel.refused", message: verdict.text } } : "held";
  };
