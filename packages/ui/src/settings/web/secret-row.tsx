/** One secret and its uses. Changes its value, allows uses, and removes it. */
import { observe } from "@hearth/client";
import type { AgentRecord, HouseRecord, SecretGrant, SecretInfo } from "@hearth/protocol";
import { useId, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/dialog.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import styles from "../settings.module.css";
import { AllowUse } from "./allow-use.tsx";
import { ChangeSecret } from "./change-secret.tsx";
import { describeSecretGrant } from "./grant-words.ts";
import * as texts from "./text.ts";

export interface SecretRowProps {
  readonly secret: SecretInfo;
  readonly house: HouseRecord;
  readonly bots: readonly AgentRecord[];
  readonly onChange: () => void;
}

/** The open form or dialog. */
type Opened = "use" | "value" | "removal" | undefined;

export const SecretRow = ({ secret, house, bots, onChange }: SecretRowProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [opened, setOpened] = useState<Opened>();
  const nameId = useId();
  const { name, setAt, grants } = secret;
  const finish = (): void => {
    setOpened(undefined);
    onChange();
  };
  const remove = async (): Promise<void> => {
    setOpened(undefined);
    if (!(await submission.run(async () => (await client.secrets()).remove(house.id, name)))) return;
    announce(texts.secretRemoved(name));
    onChange();
  };
  return (
    <li className={styles.entry} aria-labelledby={nameId}>
      <div className={styles.row}>
        <span className={styles.about}>
          <span id={nameId} className={styles.name}>
            {name}
          </span>
          <span className={styles.quiet}>
            {texts.changed}
            <Time at={setAt} style="relative" />
            {grants.length === 0 ? ` · ${texts.notUsed}` : undefined}
          </span>
        </span>
        <SecretButtons name={name} opened={opened} isBusy={submission.isBusy} onOpen={setOpened} />
      </div>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <Uses secret={secret} house={house} bots={bots} onChange={onChange} />
      {opened === "use" ? <AllowUse secret={secret} house={house} bots={bots} onAllowed={finish} /> : undefined}
      {opened === "value" ? <ChangeSecret secret={secret} house={house} onChanged={finish} /> : undefined}
      <ConfirmDialog
        title={texts.removeSecretTitle(name)}
        text={texts.secretRemovalEffect}
        confirm={texts.remove}
        isDanger
        isOpen={opened === "removal"}
        onConfirm={() => observe(remove())}
        onClose={() => setOpened(undefined)}
      />
    </li>
  );
};

interface SecretButtonsProps {
  readonly name: string;
  readonly opened: Opened;
  readonly isBusy: boolean;
  readonly onOpen: (opened: Opened) => void;
}

const SecretButtons = ({ name, opened, isBusy, onOpen }: SecretButtonsProps) => {
  const toggle = (form: "use" | "value"): void => onOpen(opened === form ? undefined : form);
  return (
    <span className={styles.buttons}>
      <Button
        size="small"
        aria-label={texts.allowUseOf(name)}
        aria-expanded={opened === "use"}
        onClick={() => toggle("use")}
      >
        {texts.allowUse}
      </Button>
      <Button
        size="small"
        kind="quiet"
        aria-label={texts.changeSecret(name)}
        aria-expanded={opened === "value"}
        onClick={() => toggle("value")}
      >
        {texts.change}
      </Button>
      <Button
        size="small"
        kind="quiet"
        aria-label={texts.removeSecret(name)}
        isBusy={isBusy}
        onClick={() => onOpen("removal")}
      >
        {texts.remove}
      </Button>
    </span>
  );
};

/** Who may use the secret, and where. */
const Uses = ({ secret, house, bots, onChange }: SecretRowProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const revoke = async (grant: SecretGrant): Promise<void> => {
    if (!(await submission.run(async () => (await client.secrets()).revoke(house.id, secret.name, grant.id)))) return;
    announce(texts.grantRevoked(describeSecretGrant(grant, bots)));
    onChange();
  };
  if (secret.grants.length === 0) return undefined;
  return (
    <>
      <ul className={styles.list}>
        {secret.grants.map((grant) => (
          <li key={grant.id} className={styles.row}>
            <span className={styles.about}>{describeSecretGrant(grant, bots)}</span>
            <Button
              size="small"
              kind="quiet"
              aria-label={texts.revokeUse(describeSecretGrant(grant, bots))}
              disabled={submission.isBusy}
              onClick={() => observe(revoke(grant))}
            >
              {texts.revoke}
            </Button>
          </li>
        ))}
      </ul>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
    </>
  );
};
