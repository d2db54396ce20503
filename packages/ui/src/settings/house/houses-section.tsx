/** The houses of this installation: their list, a new one, and a switch to another one. */
import type { HouseRecord } from "@hearth/protocol";
import { useState } from "react";
import { useLocation } from "wouter";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, TextArea } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { Table, type TableColumn } from "../../design/table.tsx";
import * as designTexts from "../../design/text.ts";
import { mayAdministerHome } from "../../house/may.ts";
import { HOME } from "../../house/paths.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { levelTitles } from "../access/level-words.ts";
import { Form } from "../form/form.tsx";
import { NameField } from "../form/name-field.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export const HousesSection = () => {
  const { house: reader } = useUi();
  const { me, house: currentHouse, houses } = useHouse();
  const [, navigate] = useLocation();
  const [isAdding, setAdding] = useState(false);
  const openHouse = (house: HouseRecord): void => {
    reader.choose(house.id);
    navigate(HOME);
  };
  const columns: readonly [TableColumn<HouseRecord>, ...TableColumn<HouseRecord>[]] = [
    {
      title: texts.houseName,
      cell: ({ content }) => (
        <span className={styles.about}>
          <span className={styles.name}>{toVisible(content.name)}</span>
          {content.description === undefined ? undefined : (
            <span className={styles.quiet}>{toVisible(content.description)}</span>
          )}
        </span>
      ),
    },
    {
      title: texts.yourRole,
      cell: ({ id }) => {
        const level = me?.permissions.find(({ on }) => on === id)?.level;
        return level === undefined ? "" : levelTitles[level];
      },
    },
    {
      title: texts.place,
      cell: (house) =>
        house.id === currentHouse?.id ? (
          <span className={styles.quiet}>{texts.openNow}</span>
        ) : (
          <Button
            size="small"
            aria-label={texts.openHouseNamed(toVisible(house.content.name))}
            onClick={() => openHouse(house)}
          >
            {texts.openHouse}
          </Button>
        ),
    },
  ];
  return (
    <Section title={texts.houses} text={texts.housesIntroduction}>
      <Table
        label={texts.houses}
        rows={houses}
        keyOf={({ id }) => id}
        nameOf={({ content }) => toVisible(content.name)}
        columns={columns}
      />
      {me !== undefined && mayAdministerHome(me) ? (
        <div className={styles.buttons}>
          <Button icon="plus" onClick={() => setAdding(true)}>
            {texts.newHouse}
          </Button>
        </div>
      ) : undefined}
      <NewHouse isOpen={isAdding} onClose={() => setAdding(false)} />
    </Section>
  );
};

interface NewHouseProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const NewHouse = ({ isOpen, onClose }: NewHouseProps) => {
  const { client, house: reader } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [isNameMissing, setNameMissing] = useState(false);
  const createHouse = async (): Promise<void> => {
    const trimmedName = name.trim();
    setNameMissing(trimmedName === "");
    if (trimmedName === "") return;
    const isCreated = await submission.run(async () => {
      await client.houses.create({
        name: trimmedName,
        ...(description.trim() === "" ? {} : { description: description.trim() }),
      });
      reader.refresh();
    });
    if (!isCreated) return;
    announce(texts.houseCreated(trimmedName));
    setName("");
    setDescription("");
    onClose();
  };
  return (
    <Dialog title={texts.newHouse} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={createHouse}>
        <p className={styles.quiet}>{texts.newHouseDetail}</p>
        <NameField
          label={texts.houseName}
          value={name}
          error={isNameMissing ? texts.enterAHouseName : undefined}
          onChange={(newName) => {
            setNameMissing(false);
            submission.clear();
            setName(newName);
          }}
        />
        <Field label={texts.description} hint={texts.houseDescriptionHint}>
          {(ids) => <TextArea {...ids} value={description} onChange={({ target }) => setDescription(target.value)} />}
        </Field>
        {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} place="here" />}
        <div className={styles.buttons}>
          <Button kind="primary" type="submit" isBusy={submission.isBusy}>
            {texts.createHouse}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {designTexts.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
};
