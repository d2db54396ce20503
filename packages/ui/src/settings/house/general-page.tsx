/** General settings: profile of the current user, house and appearance. */
import { type AgentRecord, type HouseRecord, isZone } from "@hearth/protocol";
import { ChoiceGroup } from "../../design/choice.tsx";
import { Field, TextArea } from "../../design/field.tsx";
import { useTheme } from "../../house/theme.ts";
import { useUi } from "../../house/ui.tsx";
import { unknownTimeZone } from "../../models/text.ts";
import { ZoneField } from "../../models/zone-field.tsx";
import { checkName, NameField } from "../form/name-field.tsx";
import { useNewest } from "../form/newest.ts";
import { RecordFields, Section } from "../form/section.tsx";
import { useRecordForm } from "../form/use-record-form.ts";
import { HousesSection } from "./houses-section.tsx";
import * as texts from "./text.ts";

export interface GeneralPageProps {
  readonly me: AgentRecord;
  readonly house: HouseRecord;
  /** Whether the current user is an admin of the house. */
  readonly isAdmin: boolean;
}

export const GeneralPage = ({ me, house, isAdmin }: GeneralPageProps) => (
  <>
    <ProfileForm record={me} house={house} />
    {isAdmin ? <HouseForm record={house} /> : undefined}
    <Appearance />
    <HousesSection />
  </>
);

interface ProfileFields {
  readonly [field: string]: string;
  readonly name: string;
  readonly timezone: string;
}

const ProfileForm = ({ record, house }: { readonly record: AgentRecord; readonly house: HouseRecord }) => {
  const { client } = useUi();
  const [me, setNewest] = useNewest(record);
  const form = useRecordForm<ProfileFields>({
    name: "form:you",
    saved: { name: me.content.name, timezone: me.content.timezone ?? "" },
    check: ({ name, timezone }) => ({ ...checkName(name), ...(timezone.trim() === "" ? {} : checkZone(timezone)) }),
    save: async (content) => setNewest(await client.agents.update(me.id, { content })),
  });
  return (
    <Section title={texts.you}>
      <RecordFields form={form} subject={texts.profileForm}>
        <NameField
          value={form.values.name}
          error={form.errorOf("name")}
          autoComplete="name"
          onChange={(name) => form.set("name", name)}
        />
        <ZoneField
          label={texts.timeZone}
          hint={texts.timeZoneHint(house.content.timezone)}
          value={form.values.timezone}
          error={form.errorOf("timezone")}
          onChange={(zone) => form.set("timezone", zone)}
        />
      </RecordFields>
    </Section>
  );
};

const HouseForm = ({ record }: { readonly record: HouseRecord }) => {
  const { client } = useUi();
  const [house, setNewest] = useNewest(record);
  const form = useRecordForm<ProfileFields & { readonly description: string }>({
    name: "form:house",
    saved: { name: house.content.name, description: house.content.description ?? "", timezone: house.content.timezone },
    check: ({ name, timezone }) => ({ ...checkName(name), ...checkZone(timezone) }),
    save: async (content) => setNewest(await client.houses.update(house.id, { content })),
  });
  return (
    <Section title={texts.house}>
      <RecordFields form={form} subject={texts.houseForm}>
        <NameField
          label={texts.houseName}
          value={form.values.name}
          error={form.errorOf("name")}
          onChange={(name) => form.set("name", name)}
        />
        <Field label={texts.description} hint={texts.houseDescriptionHint} error={form.errorOf("description")}>
          {(ids) => (
            <TextArea
              {...ids}
              value={form.values.description}
              onChange={(event) => form.set("description", event.target.value)}
            />
          )}
        </Field>
        <ZoneField
          label={texts.houseTimeZone}
          hint={texts.houseTimeZoneHint}
          value={form.values.timezone}
          error={form.errorOf("timezone")}
          onChange={(zone) => form.set("timezone", zone)}
        />
      </RecordFields>
    </Section>
  );
};

const Appearance = () => {
  const { theme, setTheme } = useTheme();
  const { language } = useUi();
  return (
    <Section title={texts.appearance}>
      <ChoiceGroup
        label={texts.languageInThisBrowser}
        value={language.get()}
        onChange={language.set}
        choices={[
          { value: "automatic", title: texts.automatic, detail: texts.automaticDetail },
          { value: "en", title: <span lang="en">{texts.languageNames.en}</span> },
          { value: "de", title: <span lang="de">{texts.languageNames.de}</span> },
        ]}
      />
      <ChoiceGroup
        label={texts.themeInThisBrowser}
        value={theme}
        onChange={setTheme}
        choices={[
          {
            value: "system",
            title: texts.system,
            detail: texts.systemDetail,
          },
          { value: "light", title: texts.light },
          { value: "dark", title: texts.dark },
        ]}
      />
    </Section>
  );
};

const checkZone = (zone: string): { readonly timezone?: string } =>
  isZone(zone.trim()) ? {} : { timezone: unknownTimeZone };
