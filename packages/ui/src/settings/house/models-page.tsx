/** Lists the configured model providers, each with a test, adds providers, and shows those of speech and pictures. */
import type { AgentRecord } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { mayAdministerHome } from "../../house/may.ts";
import { useHouse } from "../../house/ui.tsx";
import { useModelForm } from "../../models/model-choice.ts";
import { ModelChooser } from "../../models/model-chooser.tsx";
import { type OffersQuery, useOffers } from "../../models/offers.ts";
import { isNew } from "../../models/sources.ts";
import { titleOf } from "../../design/vendors.ts";
import { Form } from "../form/form.tsx";
import { ProviderTable } from "./provider-table.tsx";
import { Section } from "../form/section.tsx";
import { MediaSection } from "../media/media-section.tsx";
import { purposeGroups } from "../values/groups.ts";
import { SettingGroups } from "../values/setting-groups.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export const ModelsPage = ({ agents }: { readonly agents: readonly AgentRecord[] }) => {
  const { me } = useHouse();
  const offers = useOffers();
  // Number of providers added here. It is the key of the form, which each addition resets.
  const [addedCount, setAddedCount] = useState(0);
  return (
    <>
      <Section title={texts.modelProviders} text={texts.modelProvidersIntroduction}>
        <ProviderTable providers={offers.offers.providers} agents={agents} onChange={offers.reload} />
      </Section>
      <AddProvider
        key={addedCount}
        offersQuery={offers}
        onAdded={() => {
          setAddedCount(addedCount + 1);
          offers.reload();
        }}
      />
      {mayAdministerHome(me) ? (
        <>
          <SettingGroups groups={purposeGroups} />
          <MediaSection />
        </>
      ) : undefined}
    </>
  );
};

const AddProvider = ({ offersQuery, onAdded }: { readonly offersQuery: OffersQuery; readonly onAdded: () => void }) => {
  const announce = useAnnounce();
  const { choice, submission } = useModelForm(offersQuery, () => ({ source: "key" }));
  const add = async (): Promise<void> => {
    await submission.run(async () => {
      const name = await choice.connectProvider();
      if (name === undefined) return;
      announce(texts.providerAdded(titleOf(name)));
      onAdded();
    });
  };
  return (
    <Section title={texts.addProvider}>
      <Form onSubmit={add}>
        <ModelChooser choice={choice} label={texts.modelSource} filter={isNew} />
        {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
        <div className={styles.buttons}>
          <Button kind="primary" type="submit" isBusy={submission.isBusy}>
            {texts.add}
          </Button>
        </div>
      </Form>
    </Section>
  );
};
