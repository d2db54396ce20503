/** The header of a room: name, participants, and a notice if its agent has no model. */
import type { RoomEntry } from "@hearth/client";
import type { AgentRecord } from "@hearth/protocol";
import { Fragment } from "react";
import { Link } from "wouter";
import { ChatMenu } from "./chats/chat-menu.tsx";
import { classes } from "../design/classes.ts";
import { Icon } from "../design/icon.tsx";
import { mayChooseModel } from "../house/may.ts";
import { roomTitle } from "../house/room-title.ts";
import { useHouse } from "../house/ui.tsx";
import { toVisible } from "../text/visible.tsx";
import { botsOf, isOffline, nameModel, otherPeopleOf, partnerOf, settingsOf } from "./participants.ts";
import { RoomCost } from "./room-cost.tsx";
import styles from "./room-header.module.css";
import { useRoomView } from "./room-view.tsx";
import * as texts from "./text.ts";

/** Maximum number of names in the header. More would not fit on the line. */
const MAX_NAMED = 4;

export const RoomHeader = ({ entry }: { readonly entry: RoomEntry }) => {
  const { room, me } = useRoomView();
  const { agents } = useHouse();
  const bots = botsOf(room, agents);
  const partner = partnerOf(room, agents);
  return (
    <header className={styles.header}>
      <h1 dir="auto">{roomTitle(room)}</h1>
      <span className={styles.ways}>
        <ChatMenu entry={entry} />
      </span>
      {partner !== undefined && isOffline(partner) ? (
        <div className={styles.offline}>
          <p className={styles.participants}>
            <bdi>{toVisible(partner.content.name)}</bdi> {texts.usesOfflineModel}
          </p>
          <Link href={settingsOf(partner)} className={styles.choose}>
            {texts.chooseAModel}
          </Link>
        </div>
      ) : (
        <Participants bots={bots} otherPeople={otherPeopleOf(room, agents, me)} />
      )}
      <RoomCost key={room.id} room={room.id} />
    </header>
  );
};

/** The model of an agent. A person who may change it opens the model picker with it. */
const BotModel = ({ bot }: { readonly bot: AgentRecord }) => {
  const { me } = useHouse();
  const { openDialog } = useRoomView();
  const name = nameModel(bot);
  if (!mayChooseModel(me, bot)) return ` (${name})`;
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={texts.modelLabel(toVisible(bot.content.name), name)}
      className={styles.model}
      onClick={() => openDialog({ kind: "model", agent: bot })}
    >
      {name}
      <Icon name="chevron" />
    </button>
  );
};

interface ParticipantsProps {
  readonly bots: readonly AgentRecord[];
  readonly otherPeople: readonly AgentRecord[];
}

const Participants = ({ bots, otherPeople }: ParticipantsProps) => {
  const unnamedCount = Math.max(0, bots.length - MAX_NAMED) + Math.max(0, otherPeople.length - MAX_NAMED);
  return (
    <p className={classes(styles.participants, bots.length > 1 && styles.several)}>
      {bots.slice(0, MAX_NAMED).map((bot, index) => (
        <Fragment key={bot.id}>
          {index > 0 ? ", " : undefined}
          <Link href={settingsOf(bot)} title={texts.settingsOf(toVisible(bot.content.name))}>
            <bdi>{toVisible(bot.content.name)}</bdi>
          </Link>
          <BotModel bot={bot} />
        </Fragment>
      ))}
      {otherPeople.slice(0, MAX_NAMED).map((person, index) => (
        <Fragment key={person.id}>
          {index > 0 || bots.length > 0 ? ", " : undefined}
          <bdi>{toVisible(person.content.name)}</bdi>
        </Fragment>
      ))}
      {unnamedCount > 0 ? texts.andMore(unnamedCount) : undefined}
    </p>
  );
};
