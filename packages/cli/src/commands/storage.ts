/**
 * `hearth storage`: shows the disk space of the home by kind of content, its growth, and what will
 * be deleted.
 */
import type { StorageKind } from "@hearth/protocol";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { localTime } from "../show/time.ts";

export const storage = defineCommand({
  summary: "Shows what takes space and what will be deleted",
  needs: "x on the first house",
  flags: {},
  details: [
    "Reads the whole database in another process, which takes seconds for a large one. Growth is estimated from the rows of each day that",
    "are still there. hearth config list retention and hearth config list turns show how long finished work is kept.",
  ].join("\n"),
  examples: ["hearth storage", "hearth storage --json"],
  async run({ connect, json, output }) {
    const report = await (await connect()).storage();
    if (json) {
      output.json(report);
      return exitCodes.done;
    }
    output.table(
      ["WHAT", "SIZE"],
      [
        ...report.kinds.map(({ kind, bytes }) => [KIND_NAMES[kind], showBytes(bytes)]),
        ["total", showBytes(report.totalBytes)],
      ],
      "The home is empty.",
    );
    output.table(
      ["DAY", "GROWTH"],
      report.days.map(({ day, bytes }) => [day, showBytes(bytes)]),
      "Nothing was written in the last days.",
    );
    output.table(
      ["FINISHED", "KEPT", "DUE NOW", "DUE IN A WEEK", "NEXT"],
      report.retention.map(({ table, days, due, dueInWeek, nextAt }) => [
        TABLE_NAMES[table] ?? table,
        `${days} days`,
        String(due),
        String(dueInWeek),
        nextAt === undefined ? "" : localTime(nextAt),
      ]),
      "Nothing is deleted by age.",
    );
    if (!report.isShrinking)
      output.note("The database is from an older version: it uses free space again, but its file does not shrink.");
    return exitCodes.done;
  },
});

const KIND_NAMES: Readonly<Record<StorageKind, string>> = {
  messages: "messages and summaries",
  turns: "activation log",
  audit: "audit log",
  events: "events of agents and houses",
  streams: "byte streams",
  versions: "versions of brain files",
  channels: "channels: updates and deliveries",
  jobs: "outcomes of jobs",
  settings: "records and settings",
  free: "free space in the database",
  log: "write-ahead log of the database",
  blobs: "files and long texts (blobs)",
  brains: "brain files",
  work: "work folders",
  index: "search indexes",
  cache: "cache",
  copies: "copies from before updates",
  logs: "log files",
};

/** Names of the rows of each table. */
const TABLE_NAMES: Readonly<Record<string, string>> = {
  activations: "turns",
  inbound: "updates from channels",
  outbox: "deliveries",
  job_slots: "outcomes of jobs",
  job_deliveries: "webhook calls of jobs",
  model_usage: "daily sums of model usage",
};

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** Formats a size. From KiB on it has one digit after the point. */
export const showBytes = (bytes: number): string => {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
};
