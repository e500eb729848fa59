import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { serviceNow } from '../api/clock.ts';
import { PageLayout } from '../design/page-layout.tsx';
import { type Asked, UndoForm, useUndoForm } from './undo-form.tsx';
import { UndoPreview } from './undo-preview.tsx';

const DAY_MS = 86_400_000;

/** Takes back what one source wrote since a time, after a preview. Links to the page may name both. */
export default function UndoPage() {
  const [search] = useSearchParams();
  const [link] = useState(search.toString());
  const [first] = useState(() => readAsked(search));
  const form = useUndoForm(link, first);
  const [asked, setAsked] = useState<Asked | undefined>(search.has('since') ? first : undefined);
  return (
    <PageLayout
      title={t`Take back`}
      lead={t`If somebody wrote what your agent should not believe, take back everything that came from there. What others changed since stays.`}
    >
      <UndoForm form={form} first={first} ask={setAsked} />
      {asked && <UndoPreview key={JSON.stringify(asked)} form={form} asked={asked} />}
    </PageLayout>
  );
}

const SOURCES = ['agent', 'human', 'sync', 'import', 'webhook', 'reflection'] as const;

function readAsked(search: URLSearchParams): Asked {
  const source = SOURCES.find((name) => name === search.get('source')) ?? 'agent';
  const since = new Date(search.get('since') ?? serviceNow() - DAY_MS);
  const credential = search.get('credential');
  const space = search.get('space');
  const agent = search.get('agent');
  return {
    source,
    since: (Number.isNaN(since.getTime()) ? new Date() : since).toISOString(),
    ...(credential !== null && { credential_id: credential }),
    ...(space !== null && { space_id: space, ...(agent !== null && { agent_id: agent }) }),
  };
}
