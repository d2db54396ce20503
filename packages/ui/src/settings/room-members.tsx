/** Who takes part in a room: the whole house, or those on its list. */
import { AgentId, type RoomRecord } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { Avatar } from "../design/avatar.tsx";
import { Button } from "../design/button.tsx";
import { ChoiceGroup } from "../design/choice.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { useWork } from "../models/use-work.ts";
import { visible } from "../text/visible.tsx";
import { agentsOf, ChooseAgents } from "./choose-agents.tsx";
import { Form } from "./form.tsx";
import { Section } from "./section.tsx";
import styles from "./settings.module.css";

export interface RoomPartProps {
  readonly room: RoomRecord;
  /** Whether the person may change it. */
  readonly isOpen: boolean;
  readonly onChange: (room: RoomRecord) => void;
}

export const RoomMembers = ({ room, isOpen, onChange }: RoomPartProps) => {
  const { kind, members } = room.content;
  return (
    <Section title="Who takes part">
      {isOpen && kind === "group" ? (
        <MembersForm room={room} isOpen onChange={onChange} />
      ) : (
        <Names members={members} />
      )}
    </Section>
  );
};

const Names = ({ members }: { readonly members: readonly AgentId[] | undefined }) => {
  const { agents } = useHouse();
  if (members === undefined) return <p>The whole house.</p>;
  return (
    <ul className={styles.list}>
      {members.map((id) => {
        const { name, kind } = agents.get(id)?.content ?? { name: "Someone who left", kind: "human" };
        return (
          <li key={id} className={styles.row}>
            <Avatar name={name} kind={kind} size="small" />
            {visible(name)}
          </li>
        );
      })}
    </ul>
  );
};

const MembersForm = ({ room, onChange }: RoomPartProps) => {
  const { client } = useUi();
  const { agents } = useHouse();
  const announce = useAnnounce();
  const work = useWork();
  const { members } = room.content;
  const [draft, setDraft] = useState<ReadonlySet<string> | "everybody">();
  const chosen = draft ?? (members === undefined ? "everybody" : new Set(members));
  // Members of other houses stay to be seen, and to be taken out.
  const candidates = [...agents.values()].filter(({ id, house }) => house === room.house || members?.includes(id));
  const save = async (): Promise<void> => {
    const isKept = await work.run(async () => {
      const next = chosen === "everybody" ? null : [...chosen].map((id) => AgentId.parse(id));
      onChange(await client.rooms.update(room.id, { content: { members: next } }));
    });
    if (!isKept) return;
    setDraft(undefined);
    announce("Saved.");
  };
  return (
    <Form onSubmit={save}>
      <ChoiceGroup
        label="This room is for"
        value={chosen === "everybody" ? "everybody" : "some"}
        onChange={(who) =>
          setDraft(
            who === "everybody" ? who : new Set(members ?? agentsOf(agents.values(), room.house).map(({ id }) => id)),
          )
        }
        choices={[
          {
            value: "everybody",
            title: "The whole house",
            detail: "Everybody who may read in the house, now and later",
          },
          { value: "some", title: "Only these", detail: "And those who decide in the house" },
        ]}
      />
      {chosen === "everybody" ? undefined : (
        <ChooseAgents label="Takes part" agents={candidates} chosen={chosen} onChange={setDraft} />
      )}
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      <div className={styles.buttons}>
        <Button type="submit" isBusy={work.isBusy} disabled={draft === undefined}>
          Save
        </Button>
      </div>
    </Form>
  );
};
