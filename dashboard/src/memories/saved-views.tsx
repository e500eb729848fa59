import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Menu, Stack, TextInput } from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { escapeUnseen } from '@svc-memory/core/text';
import { IconBookmark, IconBookmarkPlus, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useAgent } from '../api/agent.tsx';
import { FormDialog } from '../design/form-dialog.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { PATHS } from '../navigation/paths.ts';
import classes from './saved-views.module.css';

interface SavedView {
  readonly name: string;
  /** The query string. */
  readonly search: string;
}

const MOST = 30;

/** Keeps searches and filters under a name, in this browser, for each agent. */
export function SavedViews() {
  const { agent } = useAgent();
  const search = useSearch();
  const [, go] = useLocation();
  const [asking, { open, close }] = useDisclosure();
  const [views, setViews] = useLocalStorage<SavedView[]>({
    key: `svc-views-${agent.id}`,
    defaultValue: [],
    deserialize: read,
  });
  const save = (name: string) => {
    setViews((before) => [...before.filter((view) => view.name !== name), { name, search }].slice(-MOST));
    close();
  };
  return (
    <>
      <Menu width={260} position="bottom-start">
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<IconBookmark size={15} />}>
            <Trans>Views</Trans>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length === 0 && (
            <Menu.Label>
              <Trans>None is saved in this browser</Trans>
            </Menu.Label>
          )}
          {views.map(({ name, search: saved }) => (
            <div key={name} className={classes.view}>
              <Menu.Item className={classes.name} onClick={() => go(`${PATHS.memories}?${saved}`)}>
                <PlainText text={name} />
              </Menu.Item>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t`Forget the view ${escapeUnseen(name)}`}
                onClick={() => setViews((before) => before.filter((view) => view.name !== name))}
              >
                <IconTrash size={15} />
              </ActionIcon>
            </div>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconBookmarkPlus size={15} />}
            disabled={search === '' || views.length >= MOST}
            onClick={open}
          >
            <Trans>Save this view …</Trans>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <FormDialog opened={asking} close={close} title={t`Save this view`}>
        <NameForm save={save} />
      </FormDialog>
    </>
  );
}

function NameForm({ save }: { save: (name: string) => void }) {
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') save(name.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t`Name`}
          description={t`The search, the filters and the order are kept under it`}
          maxLength={60}
          required
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button type="submit">
          <Trans>Save it</Trans>
        </Button>
      </Stack>
    </form>
  );
}

/** Reads what the browser has stored, which may be anything. */
function read(text: string | undefined): SavedView[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.filter(isSavedView) : [];
  } catch {
    return [];
  }
}

function isSavedView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false;
  const { name, search } = value as Partial<Record<keyof SavedView, unknown>>;
  return typeof name === 'string' && typeof search === 'string';
}
