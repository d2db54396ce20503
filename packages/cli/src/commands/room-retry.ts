/** `hearth room retry`: lists the failed activations of a room and retries them. */
import type { Client } from "@hearth/client";
import { isScheduled, type Activation, type RoomId } from "@hearth/protocol";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readId } from "../args/ids.ts";
import { createNames } from "../show/names.ts";
import { localTime } from "../show/time.ts";
import { UsageError } from "../args/usage-error.ts";

const LIST = "hearth room retry ROOM";
/** Maximum number of activations to list. Older ones can be retried by their id. */
const MAX_ACTIVATIONS = 1000;

export const retry = defineCommand({
  summary: "Lists failed activations of a room, or retries them",
  needs: "w on the room",
  args: [{ name: "ROOM" }, { name: "ACTIVATION", optional: true }],
  flags: { all: { kind: "switch", summary: "retry every failed activation that was not retried yet" } },
  details: [
    "Without ACTIVATION and --all, only lists. A retry starts a new activation for the same message; messages that the",
    "failed activation had taken in are answered too. Retrying an activation twice starts only one new activation.",
  ].join("\n"),
  examples: [
    "hearth room retry den",
    "hearth room retry den --json",
    "hearth room retry den act_01h2xcejqtf2nbrexx3vqjhp41",
    "hearth room retry den --all",
  ],
  async run({ connect, json, output }, { all }, [roomName = "", id]) {
    if (all && id !== undefined)
      throw new UsageError("An activation and --all cannot be combined.", "Give one of them.");
    const client = await connect();
    const room = await client.rooms.get(roomName);
    if (id === undefined && !all) {
      const failedActivations = await listFailed(client, room.id);
      if (json) output.json(failedActivations);
      else {
        const names = await createNames(client);
        output.table(
          ["ACTIVATION", "AGENT", "FAILED AT", "WHY"],
          await Promise.all(
            failedActivations.map(async (activation) => [
              activation.id,
              await names.get(activation.agent),
              localTime(activation.endedAt ?? activation.createdAt),
              activation.error?.message ?? activation.reason ?? "",
            ]),
          ),
          "No failed activations are left to retry.",
        );
      }
      return exitCodes.done;
    }
    const ids =
      id === undefined
        ? (await listFailed(client, room.id)).map((activation) => activation.id)
        : [readId("act", id, LIST)];
    const newActivations: Activation[] = [];
    for (const id of ids) {
      const newActivation = await client.activations.retry(id);
      newActivations.push(newActivation);
      if (!json) output.line(`${id} is retried as ${newActivation.id}`);
    }
    if (json) output.json(newActivations);
    else if (newActivations.length === 0) output.line("No failed activations are left to retry.");
    return exitCodes.done;
  },
});

/**
 * Returns the failed activations, oldest first. Leaves out jobs and heartbeats, which their
 * schedules repeat.
 */
const listFailed = async (client: Client, room: RoomId): Promise<readonly Activation[]> =>
  (await client.rooms.activations(room, { state: "failed", limit: MAX_ACTIVATIONS }))
    .filter((activation) => activation.retriedBy === undefined && !isScheduled(activation))
    .toReversed();
