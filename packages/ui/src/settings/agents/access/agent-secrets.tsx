/** The secrets that the house adds to an agent's requests. */
import { observe } from "@hearth/client";
import type { AgentRecord, SecretGrant } from "@hearth/protocol";
import { useCallback } from "react";
import { useAnnounce } from "../../../design/announcer.tsx";
import { Button } from "../../../design/button.tsx";
import { ErrorNotice } from "../../../design/notice.tsx";
import { useRequest } from "../../../house/request.ts";
import { RequestView } from "../../../house/request-view.tsx";
import { useUi } from "../../../house/ui.tsx";
import { useSubmission } from "../../../house/use-submission.ts";
import { toVisible } from "../../../text/visible.tsx";
import { MoreLink } from "../../form/more-link.tsx";
import { Section } from "../../form/section.tsx";
import { pathOfWeb } from "../../place.ts";
import styles from "../../settings.module.css";
import { describeHost } from "../../web/grant-words.ts";
import * as texts from "./text.ts";

/** One use of a secret by the agent. */
interface Use {
  readonly secret: string;
  readonly grant: SecretGrant;
}

export const AgentSecrets = ({ agent }: { readonly agent: AgentRecord }) => {
  const { client } = useUi();
  const { id, house, handle, content } = agent;
  const request = useRequest(
    useCallback(async () => {
      const secrets = await (await client.secrets()).list(house);
      return secrets.flatMap(({ name, grants }) =>
        grants.filter((grant) => grant.agent === id).map((grant): Use => ({ secret: name, grant })),
      );
    }, [client, house, id]),
  );
  return (
    <Section title={texts.secrets} text={texts.secretsDetail(toVisible(content.name))}>
      <RequestView request={request}>
        {(uses) =>
          uses.length === 0 ? (
            <p className={styles.quiet}>{texts.noSecrets}</p>
          ) : (
            <ul className={styles.list}>
              {uses.map((use) => (
                <UseRow key={use.grant.id} use={use} agent={agent} onRevoked={request.reload} />
              ))}
            </ul>
          )
        }
      </RequestView>
      <MoreLink to={pathOfWeb(handle)} title={texts.manageSecrets} text={texts.manageSecretsDetail} />
    </Section>
  );
};

interface UseRowProps {
  readonly use: Use;
  readonly agent: AgentRecord;
  readonly onRevoked: () => void;
}

const UseRow = ({ use: { secret, grant }, agent, onRevoked }: UseRowProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const description = texts.useOf(secret, toVisible(describeHost(grant)));
  const revoke = async (): Promise<void> => {
    if (!(await submission.run(async () => (await client.secrets()).revoke(agent.house, secret, grant.id)))) return;
    announce(texts.useRevoked(description));
    onRevoked();
  };
  return (
    <li className={styles.row}>
      <span className={styles.about}>{description}</span>
      <Button
        size="small"
        kind="quiet"
        aria-label={texts.revokeUse(description)}
        isBusy={submission.isBusy}
        onClick={() => observe(revoke())}
      >
        {texts.revoke}
      </Button>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
    </li>
  );
};
