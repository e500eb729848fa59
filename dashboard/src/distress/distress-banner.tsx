import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconLifebuoy } from '@tabler/icons-react';
import type { AnswerOf } from '../api/call.ts';
import { useAction } from '../api/hooks.ts';
import { MemoryText } from '../design/memory-text.tsx';
import { When } from '../design/when.tsx';
import classes from './distress-banner.module.css';

type Signal = AnswerOf<'GET /distress'>['signals'][number];

/** Shows an open distress call, and lets the human answer that they heard it. */
export function DistressBanner({ signal }: { signal: Signal }) {
  const acknowledge = useAction('DELETE /distress', {
    touches: ['overview', 'distress'],
    done: t`Your agent will see that you have heard it.`,
  });
  return (
    <section className={classes.banner} role="alert" aria-label={t`Your agent asks for help`}>
      <IconLifebuoy size={26} stroke={1.6} className={classes.icon} aria-hidden="true" />
      <div className={classes.words}>
        <p className={classes.title}>
          <Trans>
            Your agent asks for help <When at={signal.opened_at} />
          </Trans>
        </p>
        {signal.acknowledged_at && (
          <p>
            <Trans>
              Somebody acknowledged this with an API key <When at={signal.acknowledged_at} />. You have not
              heard it yet.
            </Trans>
          </p>
        )}
        {signal.messages.slice(-3).map(({ context, at }) => (
          <MemoryText key={at + context.slice(0, 40)} text={context} lines={4} />
        ))}
      </div>
      <Button
        color="red"
        variant="filled"
        loading={acknowledge.isPending}
        onClick={() => acknowledge.mutate({})}
      >
        <Trans>I have heard it</Trans>
      </Button>
    </section>
  );
}
