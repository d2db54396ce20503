/** How people arranged rooms in their lists. */
import type { SchemaStep } from "./step.ts";

export const chats: SchemaStep = {
  name: "0043-chats",
  statements: [
    `create table room_views (
      agent text not null,
      room text not null,
      pinned_at integer,
      archived_head integer,
      primary key (agent, room)
    ) strict, without rowid`,
    "create index room_views_room on room_views (room)",
  ],
};
