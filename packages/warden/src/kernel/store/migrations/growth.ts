/**
 * Indexes for queries on tables that grow. Partial where few rows matter, so that other rows cost
 * nothing.
 */
import type { SchemaStep } from "./step.ts";

export const growthIndexes: SchemaStep = {
  name: "0019-growth-indexes",
  statements: [
    "create index activations_open on activations (agent, room) where ended_at is null",
    "create index activations_ended on activations (ended_at) where ended_at is not null",
    // Finds rows that name a blob.
    "create index activations_frozen_blob on activations (frozen_blob) where frozen_blob is not null",
    "create index steps_output_blob on steps (output_blob) where output_blob is not null",
    "create index events_blob on events (blob) where blob is not null",
    "create index compactions_summary on compactions (summary) where summary is not null",
    "create index approvals_at on approvals (at, id)",
    "create index approvals_allowed on approvals (agent) where state = 'allowed'",
    "create index approvals_code on approvals (code_hash) where code_hash is not null",
    "create index conversations_room on conversations (room)",
    "create index egress_secrets on egress (at) where secrets < '[]'",
    "create index inbound_fate on inbound (channel, fate, at)",
    "create index inbound_accepted on inbound (channel, conversation, at) where fate = 'accepted'",
    "create index inbound_unpaired on inbound (channel, sender, at) where fate = 'unpaired'",
    "create index inbox_listed on inbox (recipient, at, id)",
    "create index logins_expiry on logins (expires_at)",
    "create index outbox_listed on outbox (channel, state, created_at, place)",
    "create index outbox_sending on outbox (id) where state = 'sending'",
    "create index senders_code on senders (code_hash) where code_hash is not null",
  ],
};

export const unfinishedIndex: SchemaStep = {
  name: "0023-unfinished-index",
  statements: [
    "create index activations_unfinished on activations (agent, room, created_at) where state in ('failed', 'stopped')",
  ],
};

/** Finds the oldest rows of tables that are pruned by age. */
export const retention: SchemaStep = {
  name: "0025-retention",
  statements: [
    // Older updates count as received at the migration.
    "alter table inbound add column received_at integer not null default 0",
    "update inbound set received_at = unixepoch() * 1000",
    "create index inbound_received on inbound (received_at)",
    "create index outbox_ended on outbox (ended_at) where ended_at is not null",
    "create index job_slots_ended on job_slots (ended_at) where ended_at is not null",
    "create index job_deliveries_at on job_deliveries (at)",
  ],
};

/** The message that the event `new` changes, in the full-text index. */
const CHANGED_MESSAGE_SQL = `(select id from message_index where room = substr(new.stream, 6) and offset =
  (select offset from events where stream = new.stream and id = case when json_valid(new.body) then new.body ->> '$.message' end))`;

/** The messages whose text the event `old` holds: as the message itself, or as its last edit. */
const HELD_MESSAGES_SQL = `(select id from message_index where room = substr(old.stream, 6) and offset = old.offset
  union select id from message_index where room = substr(old.stream, 6) and edit = old.offset)`;

/** Returns the first id of an event's instant, which is in the upper bits, so that ids are in the order of time. */
const firstIdSql = (event: string): string => `min(max(${event}.at, 0), 8000000000000) * 1048576`;

/** A message, or an edit whose long body does not say which message it changes. */
const insertSql = (event: string): string => `insert into message_index (id, room, offset, pending)
  select coalesce(max(id) + 1, ${firstIdSql(event)}), substr(${event}.stream, 6), ${event}.offset, 1 from message_index
    where id >= ${firstIdSql(event)} and id < ${firstIdSql(event)} + 1048576`;

/** Selects the messages that events of this type change, and the offsets of these events. */
const changesSql = (type: string): string => `select message.stream, message.offset, change.offset as edit
  from events as change join events as message on message.stream = change.stream
    and message.id = case when json_valid(change.body) then change.body ->> '$.message' end
  where change.type = '${type}' and change.stream glob 'room:*'`;

/**
 * The full-text index of messages, see `texts.ts`. Triggers keep the list of messages in the same
 * commit as their events; the words are added from it later. A removed text leaves with its event.
 */
export const search: SchemaStep = {
  name: "0037-search",
  statements: [
    `create table message_index (
      id integer primary key,
      room text not null,
      offset integer not null,
      edit integer,
      pending integer not null
    ) strict`,
    "create unique index message_index_message on message_index (room, offset)",
    "create index message_index_edit on message_index (room, edit) where edit is not null",
    "create index message_index_pending on message_index (pending) where pending = 1",
    // Room and author are columns, so that a query for few rooms reads only their entries.
    "create virtual table message_words using fts5(text, room, author, tokenize = 'unicode61 remove_diacritics 2')",
    // Removes the words from the pages at once, and not with a later merge.
    "insert into message_words (message_words, rank) values ('secure-delete', 1)",
    `insert into message_index (id, room, offset, pending)
      select ${firstIdSql("event")} + row_number() over (partition by at order by rowid) - 1, substr(stream, 6), offset, 1
      from events as event where stream glob 'room:*' and (type = 'message' or (type = 'message-edited' and body is null))`,
    `update message_index set edit = change.edit from
      (select substr(stream, 6) as room, offset, max(edit) as edit from (${changesSql("message-edited")}) group by stream, offset) as change
      where message_index.room = change.room and message_index.offset = change.offset`,
    `delete from message_index where id in (select message_index.id from (${changesSql("message-deleted")}) as change
      join message_index on message_index.room = substr(stream, 6) and message_index.offset = change.offset)`,
    `create trigger message_index_message_added after insert on events
      when new.type = 'message' and new.stream glob 'room:*' begin ${insertSql("new")}; end`,
    `create trigger message_index_edit_added after insert on events
      when new.type = 'message-edited' and new.stream glob 'room:*' and new.body is not null begin
        update message_index set edit = new.offset, pending = 1 where id = ${CHANGED_MESSAGE_SQL}; end`,
    `create trigger message_index_long_edit_added after insert on events
      when new.type = 'message-edited' and new.stream glob 'room:*' and new.body is null begin ${insertSql("new")}; end`,
    `create trigger message_index_deletion_added after insert on events
      when new.type = 'message-deleted' and new.stream glob 'room:*' begin
        delete from message_words where rowid = ${CHANGED_MESSAGE_SQL};
        delete from message_index where id = ${CHANGED_MESSAGE_SQL}; end`,
    `create trigger message_index_body_replaced after update of body, blob on events
      when old.type in ('message', 'message-edited') and old.stream glob 'room:*' begin
        delete from message_words where rowid in ${HELD_MESSAGES_SQL};
        update message_index set pending = 1 where id in ${HELD_MESSAGES_SQL}; end`,
    `create trigger message_index_event_removed after delete on events
      when old.type in ('message', 'message-edited') and old.stream glob 'room:*' begin
        delete from message_words where rowid in ${HELD_MESSAGES_SQL};
        delete from message_index where id in ${HELD_MESSAGES_SQL}; end`,
  ],
};

/**
 * A message is added to the list of messages before it is indexed, and not in its commit, which
 * would write seven more pages. Edits and deletions are in this order too, because their message
 * may not be in the list yet.
 */
export const unlistedMessages: SchemaStep = {
  name: "0054-unlisted-messages",
  statements: [
    "create table unlisted_messages (number integer primary key, room text not null, offset integer not null) strict",
    "drop trigger message_index_message_added",
    "drop trigger message_index_long_edit_added",
    `create trigger message_index_event_added after insert on events
      when new.type in ('message', 'message-edited', 'message-deleted') and new.stream glob 'room:*' begin
        insert into unlisted_messages (room, offset) values (substr(new.stream, 6), new.offset); end`,
  ],
};
