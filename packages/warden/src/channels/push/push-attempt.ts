/** Sends one notification to one device, and tries again while its push service does not answer. */
import type { Log } from "../../kernel/index.ts";
import type { Clock } from "@hearth/protocol";
import type { DeviceRow, PushDevices } from "./push-devices.ts";
import type { PushParcel, PushSend } from "./push-send.ts";

export interface PushAttemptOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly log: Pick<Log, "write">;
  readonly devices: Pick<PushDevices, "sent" | "drop">;
  readonly send: PushSend;
}

/** Resolves when the notification is sent, refused or given up. Never rejects. */
export type PushAttempt = (device: DeviceRow, parcel: PushParcel, signal: AbortSignal) => Promise<void>;

/** Pauses before the retries of one notification. */
export const BACKOFF_MS: readonly number[] = [1000, 5000, 30_000];

export const createPushAttempt =
  ({ clock, log, devices, send }: PushAttemptOptions): PushAttempt =>
  async (device, parcel, signal) => {
    for (const pauseMs of [0, ...BACKOFF_MS]) {
      if (pauseMs > 0) await clock.sleep(pauseMs, signal);
      if (signal.aborted) return;
      const outcome = await send(device, parcel);
      if (outcome === "later") continue;
      if (outcome === "sent") await devices.sent(device.id);
      else if (outcome === "gone") await devices.drop([device]);
      else log.write("warn", "a push service refused a notification", { device: device.id });
      return;
    }
    log.write("warn", "a push service did not take a notification", { device: device.id });
  };
