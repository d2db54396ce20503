/**
 * Rules about who may wake agents in a room, as sentences and as a form. Messages of other members
 * stay visible, but wake no agent.
 */
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ChoiceGroup } from "../../design/choice.tsx";
import { Checkbox } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { type AdmissionDraft, fromAdmissionDraft, describeAdmission, toAdmissionDraft } from "./admission-words.ts";
import { byName, ChooseAgents } from "../form/choose-agents.tsx";
import { Form } from "../form/form.tsx";
import type { RoomPartProps } from "./room-members.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export const RoomAdmission = (props: RoomPartProps) => {
  const { room, canEdit } = props;
  const { agents } = useHouse();
  const [isEditing, setEditing] = useState(false);
  const nameOf = (id: string): string => toVisible(agents.get(id)?.content.name ?? texts.aFormerMember);
  return (
    <Section title={texts.wakeRules}>
      {isEditing && canEdit ? (
        <AdmissionForm {...props} onClose={() => setEditing(false)} />
      ) : (
        <>
          <ul className={styles.sentences}>
            {describeAdmission(room.content.admission, nameOf).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          {canEdit ? (
            <div className={styles.buttons}>
              <Button onClick={() => setEditing(true)}>{texts.changeWakeRules}</Button>
            </div>
          ) : undefined}
        </>
      )}
    </Section>
  );
};

const AdmissionForm = ({ room, onChange, onClose }: RoomPartProps & { readonly onClose: () => void }) => {
  const { client } = useUi();
  const { agents } = useHouse();
  const announce = useAnnounce();
  const submission = useSubmission();
  const savedAdmission = room.content.admission;
  const [draft, setDraft] = useState(() => toAdmissionDraft(savedAdmission));
  const change = (changes: Partial<AdmissionDraft>): void => setDraft({ ...draft, ...changes });
  const houseMembers = [...agents.values()].filter(({ house }) => house === room.house).toSorted(byName);
  const save = async (): Promise<void> => {
    await submission.run(async () => {
      const admission = fromAdmissionDraft(draft, savedAdmission);
      onChange(await client.rooms.update(room.id, { content: { admission } }));
      announce(texts.saved);
      onClose();
    });
  };
  return (
    <Form onSubmit={save}>
      <ChoiceGroup
        label={texts.membersWhoCanWakeAgents}
        value={draft.mode}
        onChange={(mode) => change({ mode })}
        choices={[
          { value: "open", title: texts.everyoneWithWriteAccess },
          { value: "allow", title: texts.selectedMembers, detail: texts.selectedMembersDetail },
        ]}
      />
      {draft.mode === "allow" ? (
        <ChooseAgents
          label={texts.allowed}
          agents={houseMembers}
          selectedIds={draft.allow}
          onChange={(allow) => change({ allow })}
        />
      ) : undefined}
      <ChooseAgents
        label={texts.blocked}
        agents={houseMembers}
        selectedIds={draft.block}
        onChange={(block) => change({ block })}
      />
      <Checkbox
        label={texts.requireAMention}
        detail={texts.requireAMentionDetail}
        checked={draft.isMentionRequired}
        onChange={({ target }) => change({ isMentionRequired: target.checked })}
      />
      <ChooseAgents
        label={texts.membersWhoseEveryMessageWakes}
        agents={houseMembers}
        selectedIds={draft.wake}
        onChange={(wake) => change({ wake })}
      />
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={submission.isBusy}>
          {texts.saveWakeRules}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </Form>
  );
};
