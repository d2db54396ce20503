/** One room: what it is called, who takes part and may do what, who may wake agents, and its end. */
import { levelIn } from "@hearth/client";
import { type Me, MAX_NAME_LENGTH, type RoomRecord } from "@hearth/protocol";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { ConfirmDialog } from "../design/dialog.tsx";
import { Field, TextInput } from "../design/field.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { may } from "../house/may.ts";
import { useUi } from "../house/ui.tsx";
import { useWork } from "../models/use-work.ts";
import { visible } from "../text/visible.tsx";
import { ownWords } from "./level-words.ts";
import { MoreLink } from "./more-link.tsx";
import { useNewest } from "./newest.ts";
import { pathOfRoom, pathOfTalk, paths } from "./place.ts";
import { PlaceLevels } from "./place-levels.tsx";
import { RoomAdmission } from "./room-admission.tsx";
import { RoomMembers } from "./room-members.tsx";
import { RecordFields, Section } from "./section.tsx";
import styles from "./settings.module.css";
import { UpLink } from "./up-link.tsx";
import { useRecordForm } from "./use-record-form.ts";

export interface RoomSettingsProps {
  readonly room: RoomRecord;
  readonly me: Me;
}

export const RoomSettings = ({ room: heard, me }: RoomSettingsProps) => {
  const [room, keep] = useNewest(heard);
  const level = levelIn(me, room) ?? "r";
  const decides = may(me, "x", room);
  return (
    <>
      <UpLink to={paths.rooms}>Rooms</UpLink>
      <Section
        title={room.content.name}
        text={
          <>
            {ownWords[level]} <Link href={pathOfTalk(room.handle)}>Go to the room</Link>
          </>
        }
      >
        {decides ? <Naming room={room} onChange={keep} /> : <p>{visible(room.content.description ?? "")}</p>}
        <ul className={styles.list}>
          <li>
            <MoreLink
              to={pathOfRoom(room.handle, "activity")}
              title="Activity"
              text="What woke agents here, what came of it, and why they kept quiet."
            />
          </li>
        </ul>
      </Section>
      <RoomMembers key={`members:${room.id}`} room={room} isOpen={decides} onChange={keep} />
      {decides ? <PlaceLevels key={`levels:${room.id}:${room.version}`} place={room} /> : undefined}
      <RoomAdmission key={`admission:${room.id}`} room={room} isOpen={decides} onChange={keep} />
      {decides ? <Removal room={room} /> : undefined}
    </>
  );
};

const Naming = ({ room, onChange }: { readonly room: RoomRecord; readonly onChange: (room: RoomRecord) => void }) => {
  const { client } = useUi();
  const { name, description = "" } = room.content;
  const form = useRecordForm({
    name: `form:${room.id}`,
    saved: { name, description },
    check: (values) => (values.name.trim() === "" ? { name: "Write a name." } : {}),
    save: async (content) => onChange(await client.rooms.update(room.id, { content })),
  });
  return (
    <RecordFields form={form}>
      <Field label="Name" error={form.errorOf("name")}>
        {(ids) => (
          <TextInput
            {...ids}
            value={form.values.name}
            maxLength={MAX_NAME_LENGTH}
            autoComplete="off"
            onChange={(event) => form.set("name", event.target.value)}
          />
        )}
      </Field>
      <Field label="What it is for (optional)" hint="People and agents read it." error={form.errorOf("description")}>
        {(ids) => (
          <TextInput
            {...ids}
            value={form.values.description}
            autoComplete="off"
            onChange={(event) => form.set("description", event.target.value)}
          />
        )}
      </Field>
    </RecordFields>
  );
};

const Removal = ({ room }: { readonly room: RoomRecord }) => {
  const { client, storage } = useUi();
  const [, navigate] = useLocation();
  const announce = useAnnounce();
  const [isAsking, setAsking] = useState(false);
  const work = useWork();
  const name = visible(room.content.name);
  const remove = async (): Promise<void> => {
    setAsking(false);
    if (!(await work.run(() => client.rooms.remove(room.id)))) return;
    storage.remove(`form:${room.id}`);
    announce(`${name} is removed.`);
    navigate(paths.rooms);
  };
  return (
    <Section title="Remove" text="Nobody can read or write here any more.">
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      <div className={styles.buttons}>
        <Button kind="danger" isBusy={work.isBusy} onClick={() => setAsking(true)}>
          Remove {name}
        </Button>
      </div>
      <ConfirmDialog
        title={`Remove ${name}?`}
        text="What was said here is out of everybody's reach, and what agents do here is stopped. It cannot be brought back from this page."
        confirm="Remove"
        isDanger
        isOpen={isAsking}
        onConfirm={() => void remove()}
        onClose={() => setAsking(false)}
      />
    </Section>
  );
};
