/** The header of a room: name, participants, and a notice if its agent has no model. */
import type { AgentRecord } from "@hearth/protocol";
import { Fragment } from "react";
import { Link } from "wouter";
import { Hidden } from "../design/hidden.tsx";
import { Icon, type IconName } from "../design/icon.tsx";
import { mayIn } from "../house/may.ts";
import { brainPath } from "../house/paths.ts";
import { useHouse } from "../house/ui.tsx";
import { visible } from "../text/visible.tsx";
import { botsOf, isOffline, nameModel, othersOf, partnerOf, roomSettingsOf, settingsOf } from "./participants.ts";
import styles from "./room-header.module.css";
import { useRoomView } from "./room-view.tsx";
import * as texts from "./text.ts";

/** More names would not fit on the line. */
const MAX_NAMED = 4;

export const RoomHeader = () => {
  const { room, me } = useRoomView();
  const { agents, me: person } = useHouse();
  const bots = botsOf(room, agents);
  const partner = partnerOf(room, agents);
  return (
    <header className={styles.header}>
      <h1 dir="auto">{visible(room.content.name)}</h1>
      <span className={styles.ways}>
        {partner !== undefined && partner.content.runs !== "elsewhere" && mayIn(person, "x", partner.house) ? (
          <WayTo path={brainPath(partner.handle)} icon="file" title={texts.brainOf(visible(partner.content.name))} />
        ) : undefined}
        <WayTo path={roomSettingsOf(room)} icon="more" title={texts.roomSettings} />
      </span>
      {partner !== undefined && isOffline(partner) ? (
        <div className={styles.offline}>
          <p className={styles.participants}>
            <bdi>{visible(partner.content.name)}</bdi> {texts.usesOfflineModel}
          </p>
          <Link href={settingsOf(partner)} className={styles.choose}>
            {texts.chooseAModel}
          </Link>
        </div>
      ) : (
        <Participants bots={bots} others={othersOf(room, agents, me)} />
      )}
    </header>
  );
};

interface WayToProps {
  readonly path: string;
  readonly icon: IconName;
  readonly title: string;
}

const WayTo = ({ path, icon, title }: WayToProps) => (
  <Link href={path} className={styles.settings} title={title}>
    <Icon name={icon} />
    <Hidden>{title}</Hidden>
  </Link>
);

interface ParticipantsProps {
  readonly bots: readonly AgentRecord[];
  readonly others: readonly AgentRecord[];
}

const Participants = ({ bots, others }: ParticipantsProps) => {
  const unnamed = Math.max(0, bots.length - MAX_NAMED) + Math.max(0, others.length - MAX_NAMED);
  return (
    <p className={styles.participants}>
      {bots.slice(0, MAX_NAMED).map((bot, index) => (
        <Fragment key={bot.id}>
          {index > 0 ? ", " : undefined}
          <Link href={settingsOf(bot)} title={texts.settingsOf(visible(bot.content.name))}>
            <bdi>{visible(bot.content.name)}</bdi>
          </Link>{" "}
          ({nameModel(bot)})
        </Fragment>
      ))}
      {others.slice(0, MAX_NAMED).map((other, index) => (
        <Fragment key={other.id}>
          {index > 0 || bots.length > 0 ? ", " : undefined}
          <bdi>{visible(other.content.name)}</bdi>
        </Fragment>
      ))}
      {unnamed > 0 ? texts.andMore(unnamed) : undefined}
    </p>
  );
};
