/** Validates the content of records, and converts records to rows and back. */
import { readJson, writeJson, type Row } from "../../kernel/index.ts";
import {
  AgentContent,
  HearthError,
  type HearthRecord,
  HouseContent,
  isZone,
  type RecordOf,
  type RecordType,
  RoomContent,
  toolIn,
} from "@hearth/protocol";
import { findTool, tools, type ToolTable } from "@hearth/protocol/tools";
import type { z } from "zod";
import { requireVisible } from "./plain-name.ts";

/** Casts a record whose content was parsed for its type. */
export const toTyped = (record: { readonly type: RecordType; readonly [field: string]: unknown }): HearthRecord =>
  record as unknown as HearthRecord;

export const toRecord = (row: Row<"records">): HearthRecord =>
  toTyped({
    type: row.type,
    id: row.id,
    house: row.house,
    handle: row.handle,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    content: readJson(row.content),
  });

export const toRow = (record: HearthRecord): Row<"records"> => ({
  id: record.id,
  type: record.type,
  house: record.house,
  handle: record.handle,
  version: record.version,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
  content: writeJson(record.content),
});

const contents: { readonly [Type in RecordType]: z.ZodType<RecordOf<Type>["content"]> } = {
  house: HouseContent,
  room: RoomContent,
  agent: AgentContent,
};

/**
 * Throws `record.invalid` with the field. An older name stays valid, even if it would be refused
 * today.
 */
export const parseContent = (
  type: RecordType,
  content: unknown,
  table: ToolTable = tools,
  previousName?: string,
): HearthRecord["content"] => {
  const parsed = contents[type].safeParse(content);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new HearthError(
      "record.invalid",
      `${type}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? "is wrong"}`.trim(),
      {
        hint: `See "Records" at /docs for the fields of ${withArticle(type)}.`,
      },
    );
  }
  const { data } = parsed;
  if (data.name !== previousName) requireVisible("record.invalid", `${type}: name`, data.name);
  if ("titleFrom" in data || "title" in data) requireDirect(data);
  if ("title" in data && data.title !== undefined) requireVisible("record.invalid", `${type}: title`, data.title);
  if ("timezone" in data && data.timezone !== undefined && !isZone(data.timezone)) {
    throw new HearthError("record.invalid", `${type}: timezone "${data.timezone}" is not a known time zone.`, {
      hint: "Use an IANA name such as Europe/Berlin.",
    });
  }
  const toolNames = "tools" in data ? (data.tools ?? []).flatMap((entry) => toolIn(entry) ?? []) : [];
  const unknownTool = toolNames.find((name) => findTool(table, name) === undefined);
  if (unknownTool !== undefined) {
    throw new HearthError("record.invalid", `${type}: unknown tool "${unknownTool}".`, {
      hint: `Available: ${Object.keys(table).join(", ")}`,
    });
  }
  return data;
};

const requireDirect = ({ name, kind }: { readonly name: string; readonly kind: string }): void => {
  if (kind === "direct") return;
  throw new HearthError("record.invalid", `room: ${name} is not a direct room, and only those have a title.`, {
    hint: "Change its name instead.",
  });
};

/** "an agent" */
export const withArticle = (type: RecordType): string => (type === "agent" ? "an agent" : `a ${type}`);
