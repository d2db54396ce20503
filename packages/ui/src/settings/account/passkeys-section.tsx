/**
 * Lists the passkeys of a person with their names, addresses and last use. Adds, renames and
 * removes passkeys.
 */
import type { AgentRecord, PasskeyInfo } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { Dialog } from "../../design/dialog.tsx";
import { EmptyState } from "../../design/empty-state.tsx";
import type { TableColumn } from "../../design/table.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { ListTable } from "../../lists/list-table.tsx";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { AddPasskey } from "./add-passkey.tsx";
import { RenamePasskey } from "./rename-passkey.tsx";
import * as texts from "./text.ts";

export interface PasskeysSectionProps {
  readonly person: AgentRecord;
  readonly isOwn: boolean;
}

export const PasskeysSection = ({ person, isOwn }: PasskeysSectionProps) => {
  const { client } = useUi();
  const { id } = person;
  const request = useRequest(useCallback(async () => (await client.passkeys()).list(id), [client, id]));
  const name = toVisible(person.content.name);
  return (
    <Section title={texts.passkeys} text={isOwn ? texts.passkeysDetail : texts.passkeysOf(name)}>
      <RequestView request={request}>
        {({ passkeys, needsCurrent }) => (
          <>
            <PasskeyTable passkeys={passkeys} person={person} isOwn={isOwn} onChange={request.reload} />
            {isOwn ? <AddPasskey needsCurrent={needsCurrent} onAdded={request.reload} /> : undefined}
          </>
        )}
      </RequestView>
    </Section>
  );
};

export interface PasskeyTableProps extends PasskeysSectionProps {
  readonly passkeys: readonly PasskeyInfo[];
  readonly onChange: () => void;
}

export const PasskeyTable = ({ passkeys, person, isOwn, onChange }: PasskeyTableProps) => {
  const { client } = useUi();
  const [editedPasskey, setEditedPasskey] = useState<PasskeyInfo>();
  const close = (): void => setEditedPasskey(undefined);
  return (
    <>
      <ListTable
        label={texts.passkeys}
        rows={passkeys}
        keyOf={({ id }) => id}
        nameOf={({ name }) => toVisible(name)}
        columns={columns}
        choices={isOwn ? [{ id: "rename", label: texts.rename, icon: "edit", onChoose: setEditedPasskey }] : []}
        changes={[
          {
            id: "remove",
            label: texts.remove,
            icon: "delete",
            title: texts.removePasskeyCount,
            confirm: { title: texts.removePasskeys, text: texts.removePasskeyEffect },
            isDanger: true,
            run: async ({ id }) => (await client.passkeys()).remove(person.id, id),
            done: texts.passkeysRemoved,
          },
        ]}
        onChanged={onChange}
        empty={<EmptyState icon="key" title={texts.noPasskeys} />}
      />
      <Dialog
        title={editedPasskey === undefined ? "" : texts.renamePasskey(toVisible(editedPasskey.name))}
        isOpen={editedPasskey !== undefined}
        onClose={close}
      >
        {editedPasskey === undefined ? undefined : (
          <RenamePasskey
            passkey={editedPasskey}
            onClose={close}
            onSaved={() => {
              close();
              onChange();
            }}
          />
        )}
      </Dialog>
    </>
  );
};

const columns: readonly [TableColumn<PasskeyInfo>, ...TableColumn<PasskeyInfo>[]] = [
  { title: texts.name, cell: ({ name }) => <span className={styles.name}>{toVisible(name)}</span> },
  { title: texts.worksAt, cell: ({ host }) => toVisible(host) },
  {
    title: texts.lastUse,
    cell: ({ usedAt }) => (usedAt === undefined ? texts.neverUsed : <Time at={usedAt} style="relative" />),
  },
  { title: texts.added, cell: ({ createdAt }) => <Time at={createdAt} style="relative" /> },
];
