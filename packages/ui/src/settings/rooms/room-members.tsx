/** The members of a room: the whole house, or a list. */
import { AgentId, type RoomRecord } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Avatar } from "../../design/avatar.tsx";
import { Button } from "../../design/button.tsx";
import { ChoiceGroup } from "../../design/choice.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { agentsOf, ChooseAgents } from "../form/choose-agents.tsx";
import { Form } from "../form/form.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface RoomPartProps {
  readonly room: RoomRecord;
  /** Whether the current user may change the members. */
  readonly canEdit: boolean;
  readonly onChange: (room: RoomRecord) => void;
}

export const RoomMembers = ({ room, canEdit, onChange }: RoomPartProps) => {
  const { kind, members } = room.content;
  return (
    <Section title={texts.participants}>
      {canEdit && kind === "group" ? (
        <MembersForm room={room} canEdit onChange={onChange} />
      ) : (
        <Names members={members} />
      )}
    </Section>
  );
};

const Names = ({ members }: { readonly members: readonly AgentId[] | undefined }) => {
  const { agents } = useHouse();
  if (members === undefined) return <p>{texts.theWholeHouse}</p>;
  return (
    <ul className={styles.list}>
      {members.map((id) => {
        const { name, kind } = agents.get(id)?.content ?? { name: texts.formerMember, kind: "human" };
        return (
          <li key={id} className={styles.row}>
            <Avatar name={name} kind={kind} size="small" />
            {toVisible(name)}
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
  const submission = useSubmission();
  const { members } = room.content;
  const [draft, setDraft] = useState<ReadonlySet<string> | "everybody">();
  const selection = draft ?? (members === undefined ? "everybody" : new Set(members));
  // Lists members of other houses too, so that they can be removed.
  const candidates = [...agents.values()].filter(({ id, house }) => house === room.house || members?.includes(id));
  const save = async (): Promise<void> => {
    const isSaved = await submission.run(async () => {
      const newMembers = selection === "everybody" ? null : [...selection].map((id) => AgentId.parse(id));
      onChange(await client.rooms.update(room.id, { content: { members: newMembers } }));
    });
    if (!isSaved) return;
    setDraft(undefined);
    announce(texts.saved);
  };
  return (
    <Form onSubmit={save}>
      <ChoiceGroup
        label={texts.visibleTo}
        value={selection === "everybody" ? "everybody" : "some"}
        onChange={(choice) =>
          setDraft(
            choice === "everybody"
              ? choice
              : new Set(members ?? agentsOf(agents.values(), room.house).map(({ id }) => id)),
          )
        }
        choices={[
          {
            value: "everybody",
            title: texts.theWholeHouse,
            detail: texts.theWholeHouseDetail,
          },
          { value: "some", title: texts.selectedMembers, detail: texts.andAdmins },
        ]}
      />
      {selection === "everybody" ? undefined : (
        <ChooseAgents label={texts.members} agents={candidates} selectedIds={selection} onChange={setDraft} />
      )}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button type="submit" isBusy={submission.isBusy} disabled={draft === undefined}>
          {texts.saveMembers}
        </Button>
      </div>
    </Form>
  );
};
