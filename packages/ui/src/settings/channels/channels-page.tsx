/** Chat platforms, their senders, and messages that need attention. */
import type { HouseId } from "@hearth/protocol";
import { useCallback } from "react";
import { Link } from "wouter";
import { Icon } from "../../design/icon.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useAttention } from "../../house/attention.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import { agentsOf } from "../form/choose-agents.tsx";
import { Section } from "../form/section.tsx";
import { paths } from "../place.ts";
import { ChannelTable } from "./channel-table.tsx";
import { PairingsSection } from "./pairings-section.tsx";
import { RefusedSection } from "./refused-section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

/** `home`: the house whose agents answer on channels. */
export const ChannelsPage = ({ home }: { readonly home: HouseId | undefined }) => {
  const { client } = useUi();
  const agents = [...useHouse().agents.values()];
  const people = agents.filter(({ content }) => content.kind === "human");
  const bots = agentsOf(agents, home).filter(({ content }) => content.kind === "bot");
  const request = useRequest(useCallback(async () => (await client.channels()).list(), [client]));
  useAttention(request.reload);
  return (
    <>
      <Section title={texts.channels} text={texts.channelsIntroduction}>
        <RequestView request={request}>
          {(channels) => <ChannelTable channels={channels} bots={bots} onChanged={request.reload} />}
        </RequestView>
        <p>
          <Link href={paths.newChannel} className={styles.add}>
            <Icon name="plus" />
            {texts.addChannel}
          </Link>
        </p>
      </Section>
      <PairingsSection people={people} />
      {request.value === undefined || request.value.length === 0 ? undefined : (
        <RefusedSection channels={request.value} />
      )}
    </>
  );
};
