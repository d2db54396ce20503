/** Lists, links and unlinks the accounts at OpenID Connect providers with which a person logs in. */
import type { AgentRecord, IdentityInfo, OidcProvider } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { ProveIdentity } from "./prove-identity.tsx";
import * as texts from "./text.ts";

export interface IdentitiesSectionProps {
  readonly person: AgentRecord;
  readonly isOwn: boolean;
}

/** Renders nothing if the house has no providers and the person has no linked accounts. */
export const IdentitiesSection = ({ person, isOwn }: IdentitiesSectionProps) => {
  const { client } = useUi();
  const { id } = person;
  const request = useRequest(useCallback(async () => (await client.identities()).list(id), [client, id]));
  const { value, error } = request;
  const isUsed = value !== undefined && value.providers.length + value.identities.length > 0;
  if (error === undefined && !isUsed) return undefined;
  const name = toVisible(person.content.name);
  return (
    <Section title={texts.linkedAccounts} text={isOwn ? texts.linkedAccountsDetail : texts.linkedAccountsOf(name)}>
      <RequestView request={request}>
        {({ identities, providers, needsCurrent }) => (
          <>
            {identities.length === 0 ? (
              <p className={styles.quiet}>{texts.noLinkedAccounts}</p>
            ) : (
              <ul className={styles.list}>
                {identities.map((identity) => (
                  <LinkedAccount
                    key={identity.id}
                    identity={identity}
                    person={person}
                    isOwn={isOwn}
                    needsCurrent={isOwn && needsCurrent}
                    onChange={request.reload}
                  />
                ))}
              </ul>
            )}
            {isOwn
              ? providers.map((provider) => (
                  <LinkAccount key={provider.name} provider={provider} needsCurrent={needsCurrent} />
                ))
              : undefined}
          </>
        )}
      </RequestView>
    </Section>
  );
};

interface LinkedAccountProps extends IdentitiesSectionProps {
  readonly identity: IdentityInfo;
  readonly needsCurrent: boolean;
  readonly onChange: () => void;
}

const LinkedAccount = ({ identity, person, isOwn, needsCurrent, onChange }: LinkedAccountProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const [isOpen, setOpen] = useState(false);
  const account = toVisible(identity.account ?? identity.provider);
  const unlink = async (currentPassword: string | undefined): Promise<void> => {
    const proof = currentPassword === undefined ? {} : { current: currentPassword };
    await (await client.identities()).unlink(person.id, identity.id, proof);
    announce(texts.accountUnlinked(account));
    onChange();
  };
  return (
    <li className={styles.entry}>
      <div className={styles.row}>
        <span className={styles.about}>
          <span className={styles.name}>{account}</span>
          <Facts identity={identity} />
        </span>
        {isOpen ? undefined : (
          <Button size="small" aria-label={texts.unlinkAccount(account)} onClick={() => setOpen(true)}>
            {texts.unlink}
          </Button>
        )}
      </div>
      {isOpen ? (
        <ProveIdentity
          needsCurrent={needsCurrent}
          text={isOwn ? texts.unlinkEffect : texts.unlinkEffectOther}
          confirm={texts.unlink}
          onConfirm={unlink}
          onCancel={() => setOpen(false)}
        />
      ) : undefined}
    </li>
  );
};

interface LinkAccountProps {
  readonly provider: OidcProvider;
  readonly needsCurrent: boolean;
}

const LinkAccount = ({ provider, needsCurrent }: LinkAccountProps) => {
  const { client, page } = useUi();
  const [isOpen, setOpen] = useState(false);
  const label = texts.linkAccountAt(toVisible(provider.label));
  const link = async (currentPassword: string | undefined): Promise<void> => {
    const identities = await client.identities();
    page.open(
      (await identities.link(provider.name, currentPassword === undefined ? {} : { current: currentPassword })).url,
    );
  };
  if (!isOpen)
    return (
      <div className={styles.buttons}>
        <Button onClick={() => setOpen(true)}>{label}</Button>
      </div>
    );
  return (
    <ProveIdentity
      needsCurrent={needsCurrent}
      text={texts.linkEffect(toVisible(provider.label))}
      confirm={texts.link}
      onConfirm={link}
      onCancel={() => setOpen(false)}
    />
  );
};

const Facts = ({ identity: { provider, createdAt, usedAt } }: { readonly identity: IdentityInfo }) => (
  <span className={styles.quiet}>
    {toVisible(provider)}
    {" · "}
    {texts.linked}
    <Time at={createdAt} style="relative" />
    {" · "}
    {usedAt === undefined ? (
      texts.neverUsed
    ) : (
      <>
        {texts.lastLogin}
        <Time at={usedAt} style="relative" />
      </>
    )}
  </span>
);
