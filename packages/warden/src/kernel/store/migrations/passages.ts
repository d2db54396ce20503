/** The full-text index of attachments, see `passages.ts`. */
import type { SchemaStep } from "./step.ts";

/** Removes the words of the passages that match. */
const removalSql = (condition: string): string => `
  delete from passage_words where rowid in (select id from passage_index where ${condition});
  delete from passage_index where ${condition};`;

/** Removes the words of an upload, and lists its attachments again. */
const outdateSql = (upload: string): string => `${removalSql(`upload = ${upload}`)}
  update passage_files set pending = 1, revision = revision + 1 where upload = ${upload};`;

const SAME_ATTACHMENT = "room = old.room and upload = old.upload and event = old.event";

/**
 * Triggers keep the list of attachments in the same commit as the rows from which their words come;
 * the words are added from the list later. A removed text leaves with its row.
 */
export const passages: SchemaStep = {
  name: "0048-passages",
  statements: [
    `create table passage_files (
      room text not null,
      upload text not null,
      event text not null,
      revision integer not null,
      pending integer not null,
      primary key (room, upload, event)
    ) strict, without rowid`,
    "create index passage_files_upload on passage_files (upload)",
    "create index passage_files_pending on passage_files (event, upload) where pending = 1",
    `create table passage_index (
      id integer primary key,
      room text not null,
      upload text not null,
      event text not null,
      place text not null
    ) strict`,
    "create index passage_index_upload on passage_index (upload, room, event)",
    // Room and author are columns, so that a query for few rooms reads only their entries.
    "create virtual table passage_words using fts5(text, room, author, tokenize = 'unicode61 remove_diacritics 2')",
    // Removes the words from the pages at once, and not with a later merge.
    "insert into passage_words (passage_words, rank) values ('secure-delete', 1)",
    // The names of the room and the author do not count for the order.
    "insert into passage_words (passage_words, rank) values ('rank', 'bm25(1.0, 0.0, 0.0)')",
    "insert into passage_files (room, upload, event, revision, pending) select room, upload, event, 0, 1 from attachments",
    `create trigger passage_attachment_added after insert on attachments begin
      insert into passage_files (room, upload, event, revision, pending) values (new.room, new.upload, new.event, 0, 1); end`,
    `create trigger passage_attachment_removed after delete on attachments begin
      ${removalSql(SAME_ATTACHMENT)}
      delete from passage_files where ${SAME_ATTACHMENT}; end`,
    `create trigger passage_transcript_added after insert on transcripts begin ${outdateSql("new.upload")} end`,
    `create trigger passage_transcript_changed after update of text on transcripts begin ${outdateSql("new.upload")} end`,
    `create trigger passage_transcript_removed after delete on transcripts begin ${outdateSql("old.upload")} end`,
    `create trigger passage_text_added after insert on upload_texts begin ${outdateSql("new.upload")} end`,
    `create trigger passage_text_changed after update of blob on upload_texts begin ${outdateSql("new.upload")} end`,
    `create trigger passage_text_removed after delete on upload_texts begin ${outdateSql("old.upload")} end`,
  ],
};
