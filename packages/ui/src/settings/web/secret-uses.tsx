/** The uses of one secret: who may send it, and where. Each can be revoked. */
import { observe } from "@hearth/client";
import type { AgentRecord, HouseRecord, SecretGrant, SecretInfo } from "@hearth/protocol";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import styles from "../settings.module.css";
import { describeSecretGrant } from "./grant-words.ts";
import * as texts from "./text.ts";

export interface SecretUsesProps {
  readonly secret: SecretInfo;
  readonly house: HouseRecord;
  readonly bots: readonly AgentRecord[];
  /** Opens the form that allows another use. */
  readonly onAllow: () => void;
  readonly onChange: () => void;
}

export const SecretUses = ({ secret, house, bots, onAllow, onChange }: SecretUsesProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const revoke = async (grant: SecretGrant): Promise<void> => {
    if (!(await submission.run(async () => (await client.secrets()).revoke(house.id, secret.name, grant.id)))) return;
    announce(texts.grantRevoked(describeSecretGrant(grant, bots)));
    onChange();
  };
  return (
    <>
      <ul className={styles.list}>
        {secret.grants.map((grant) => (
          <li key={grant.id} className={styles.row}>
            <span className={styles.about}>{describeSecretGrant(grant, bots)}</span>
            <Button
              size="small"
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
      <div className={styles.buttons}>
        <Button size="small" icon="plus" aria-label={texts.allowUseOf(secret.name)} onClick={onAllow}>
          {texts.allowUse}
        </Button>
      </div>
    </>
  );
};
