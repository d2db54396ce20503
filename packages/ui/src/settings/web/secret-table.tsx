/** The secrets of a house as a table: their uses, and dialogs that allow a use and replace a value. */
import type { AgentRecord, HouseRecord, SecretInfo } from "@hearth/protocol";
import { useState } from "react";
import { Dialog } from "../../design/dialog.tsx";
import { EmptyState } from "../../design/empty-state.tsx";
import type { TableColumn } from "../../design/table.tsx";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { ListTable } from "../../lists/list-table.tsx";
import type { ListFilter } from "../../lists/matching.ts";
import { toVisible } from "../../text/visible.tsx";
import styles from "../settings.module.css";
import { AllowUse } from "./allow-use.tsx";
import { ChangeSecret } from "./change-secret.tsx";
import { describeSecretGrant } from "./grant-words.ts";
import { SecretUses } from "./secret-uses.tsx";
import * as texts from "./text.ts";

export interface SecretTableProps {
  readonly secrets: readonly SecretInfo[];
  readonly house: HouseRecord;
  readonly bots: readonly AgentRecord[];
  readonly onChange: () => void;
}

/** The open dialog. */
interface OpenDialog {
  readonly form: "use" | "value";
  readonly secret: SecretInfo;
}

export const SecretTable = ({ secrets, house, bots, onChange }: SecretTableProps) => {
  const { client } = useUi();
  const [dialog, setDialog] = useState<OpenDialog>();
  return (
    <>
      <ListTable
        label={texts.secrets}
        rows={secrets}
        keyOf={({ name }) => name}
        nameOf={({ name }) => toVisible(name)}
        columns={columnsOf(bots)}
        filters={[useFilter]}
        searchText={(secret) => [secret.name, ...describeUses(secret, bots)].join(" ")}
        detailOf={(secret) => (
          <SecretUses
            secret={secret}
            house={house}
            bots={bots}
            onAllow={() => setDialog({ form: "use", secret })}
            onChange={onChange}
          />
        )}
        choices={[
          { id: "use", label: texts.allowUse, icon: "plus", onChoose: (secret) => setDialog({ form: "use", secret }) },
          {
            id: "value",
            label: texts.changeValue,
            icon: "edit",
            onChoose: (secret) => setDialog({ form: "value", secret }),
          },
        ]}
        changes={[
          {
            id: "remove",
            label: texts.remove,
            icon: "delete",
            title: texts.removeSecretCount,
            confirm: { title: texts.removeSecrets, text: texts.secretRemovalEffect },
            isDanger: true,
            run: async ({ name }) => (await client.secrets()).remove(house.id, name),
            done: texts.secretsRemoved,
          },
        ]}
        onChanged={onChange}
        empty={<EmptyState icon="key" title={texts.noSecrets} />}
      />
      <SecretDialog
        dialog={dialog}
        house={house}
        bots={bots}
        onClose={() => setDialog(undefined)}
        onDone={() => {
          setDialog(undefined);
          onChange();
        }}
      />
    </>
  );
};

const describeUses = ({ grants }: SecretInfo, bots: readonly AgentRecord[]): readonly string[] =>
  grants.map((grant) => describeSecretGrant(grant, bots));

const useFilter: ListFilter<SecretInfo> = {
  name: "secret",
  label: texts.uses,
  all: texts.allSecrets,
  options: [
    { value: "used", title: texts.usedSecrets },
    { value: "unused", title: texts.unusedSecrets },
  ],
  matches: ({ grants }, value) => grants.length > 0 === (value === "used"),
};

const columnsOf = (bots: readonly AgentRecord[]): readonly [TableColumn<SecretInfo>, ...TableColumn<SecretInfo>[]] => [
  { title: texts.secretName, cell: ({ name }) => <span className={styles.name}>{toVisible(name)}</span> },
  { title: texts.uses, cell: (secret) => <Uses lines={describeUses(secret, bots)} /> },
  { title: texts.changed, cell: ({ setAt }) => <Time at={setAt} style="relative" /> },
];

const Uses = ({ lines }: { readonly lines: readonly string[] }) =>
  lines.length === 0 ? (
    <span className={styles.quiet}>{texts.notUsed}</span>
  ) : (
    <span className={styles.about}>
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </span>
  );

interface SecretDialogProps {
  readonly dialog: OpenDialog | undefined;
  readonly house: HouseRecord;
  readonly bots: readonly AgentRecord[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const SecretDialog = ({ dialog, house, bots, onClose, onDone }: SecretDialogProps) => (
  <Dialog
    title={dialog === undefined ? "" : titles[dialog.form](toVisible(dialog.secret.name))}
    isOpen={dialog !== undefined}
    onClose={onClose}
  >
    {dialog?.form === "use" ? (
      <AllowUse secret={dialog.secret} house={house} bots={bots} onAllowed={onDone} />
    ) : undefined}
    {dialog?.form === "value" ? <ChangeSecret secret={dialog.secret} house={house} onChanged={onDone} /> : undefined}
  </Dialog>
);

const titles = { use: texts.allowUseOf, value: texts.changeValueOf } as const;
