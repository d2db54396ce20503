/** Chooses the replies that the current user hears. */
import { SpokenReplies } from "@hearth/protocol/api";
import { observe } from "@hearth/client";
import { useCallback, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { ChoiceGroup } from "../../design/choice.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

const spokenChoices = SpokenReplies.options.map((value) => ({
  value,
  title: texts.spokenTitles[value],
  detail: texts.spokenDetails[value],
}));

export const SpokenSection = () => {
  const { client } = useUi();
  const { me } = useHouse();
  const request = useRequest(useCallback(async () => (await client.voice()).choices(), [client]));
  return (
    <Section title={texts.spokenReplies} text={texts.spokenIntroduction}>
      {me?.speaks === true ? undefined : <p className={styles.quiet}>{texts.noSpeaker}</p>}
      <RequestView request={request}>{({ replies }) => <SpokenChoice savedReplies={replies} />}</RequestView>
    </Section>
  );
};

/** Shows a choice at once, and the former one again if it cannot be saved. */
const SpokenChoice = ({ savedReplies }: { readonly savedReplies: SpokenReplies }) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [selectedReplies, setSelectedReplies] = useState(savedReplies);
  const choose = async (replies: SpokenReplies): Promise<void> => {
    setSelectedReplies(replies);
    const isDone = await submission.run(async () => {
      await (await client.voice()).choose({ replies });
    });
    if (isDone) announce(texts.spokenSaved);
    else setSelectedReplies(selectedReplies);
  };
  return (
    <>
      <ChoiceGroup
        label={texts.whichReplies}
        value={selectedReplies}
        choices={spokenChoices}
        onChange={(replies) => observe(choose(replies))}
      />
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
    </>
  );
};
