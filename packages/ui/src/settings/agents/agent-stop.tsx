/** Stops and resumes one agent. */
import { observe } from "@hearth/client";
import type { AgentRecord } from "@hearth/protocol";
import { Link } from "wouter";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { findHold, holdOf } from "../../house/holds.ts";
import { Time } from "../../house/time.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { paths } from "../place.ts";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export const AgentStop = ({ agent }: { readonly agent: AgentRecord }) => {
  const { client, house } = useUi();
  const { holds } = useHouse();
  const announce = useAnnounce();
  const submission = useSubmission();
  const { id } = agent;
  const name = toVisible(agent.content.name);
  const ownHold = findHold(holds, id);
  const stop = async (): Promise<void> => {
    if (await submission.run(async () => void (await client.agents.stop(id)))) announce(texts.stopped(name));
    // A stop can apply although the request failed, so the state is fetched again.
    else house.refresh();
  };
  const resume = async (): Promise<void> => {
    if (await submission.run(async () => void (await client.agents.resume(id)))) announce(texts.resumed(name));
  };
  return (
    <Section title={texts.stop} text={<StopDetail name={name} agent={agent} />}>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        {ownHold === undefined ? (
          <Button icon="stop" isBusy={submission.isBusy} onClick={() => observe(stop())}>
            {texts.stopAgent(name)}
          </Button>
        ) : (
          <Button kind="primary" isBusy={submission.isBusy} onClick={() => observe(resume())}>
            {texts.resumeAgent(name)}
          </Button>
        )}
      </div>
    </Section>
  );
};

const StopDetail = ({ name, agent }: { readonly name: string; readonly agent: AgentRecord }) => {
  const { holds, agents } = useHouse();
  const hold = holdOf(holds, agent.id);
  if (hold === undefined) return texts.stopDetail(name);
  const stopper = toVisible(agents.get(hold.by)?.content.name ?? texts.aFormerMember);
  return (
    <>
      {hold.scope === "house" ? texts.stoppedWithAllAgentsBy(name) : texts.stoppedBy(name)} <bdi>{stopper}</bdi>{" "}
      {texts.at} <Time at={hold.at} />. {texts.messagesWait}
      {hold.scope === "house" ? <SeeAll /> : undefined}
    </>
  );
};

const SeeAll = () => (
  <>
    {" "}
    <Link href={paths.agents}>{texts.viewAllAgents}</Link>
  </>
);
