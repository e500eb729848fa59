import { plural, t } from '@lingui/core/macro';
import { Progress, Tooltip } from '@mantine/core';
import type { AnswerOf } from '../api/call.ts';
import { formatNumber } from '../design/format.ts';
import { Panel } from '../design/panel.tsx';
import { serverText } from '../language/server-text.ts';
import classes from './boot.module.css';

type Preview = AnswerOf<'GET /boot-config/preview'>;

const COLORS: Readonly<Record<string, string>> = {
  identity: 'var(--type-core)',
  relationship: 'color-mix(in srgb, var(--type-core) 78%, var(--surface))',
  operations: 'color-mix(in srgb, var(--type-core) 56%, var(--surface))',
  working: 'var(--type-working)',
  upcoming: 'color-mix(in srgb, var(--type-working) 60%, var(--surface))',
  episodic: 'var(--type-episodic)',
  semantic: 'var(--type-semantic)',
  session: 'var(--mantine-color-dimmed)',
};
const OTHER = 'color-mix(in srgb, var(--mantine-color-dimmed) 60%, var(--surface))';

/** Shows how the sections of the boot text share the budget, as a bar and in numbers. */
export function BudgetPanel({ preview }: { preview: Preview }) {
  const { sections, estimated_tokens: total } = preview;
  const budget = preview.boot_config.token_budget;
  const spent = sections.reduce((sum, section) => sum + section.estimated_tokens, 0);
  const parts = [
    ...sections.map(({ name, title, estimated_tokens, shown, omitted }) => ({
      name,
      title: serverText(title),
      tokens: estimated_tokens,
      color: COLORS[name] ?? OTHER,
      entries: name === 'session' ? '' : entriesOf(shown, omitted),
    })),
    {
      name: 'frame',
      title: t`Headings`,
      tokens: Math.max(0, total - spent),
      color: OTHER,
      entries: '',
    },
  ].filter(({ tokens, entries }) => tokens > 0 || entries !== '');
  return (
    <Panel
      title={t`How the budget is spent`}
      hint={t`${formatNumber(total)} of ${formatNumber(budget)} tokens`}
    >
      <Progress.Root size={22} radius="sm" className={classes.bar} aria-hidden="true">
        {parts.map(({ name, title, tokens, color }) => (
          <Tooltip key={name} label={t`${title}: ${formatNumber(tokens)} tokens`}>
            <Progress.Section value={(100 * tokens) / budget} color={color} className={classes.part} />
          </Tooltip>
        ))}
      </Progress.Root>
      <ul className={classes.legend}>
        {parts.map(({ name, title, tokens, color, entries }) => (
          <li key={name} className={classes.section}>
            <span className={classes.swatch} style={{ background: color }} aria-hidden="true" />
            <span>{title}</span>
            <span className={classes.entries}>{entries}</span>
            <span className={classes.tokens}>{formatNumber(tokens)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function entriesOf(shown: number, omitted: number): string {
  const number = formatNumber(shown);
  if (omitted === 0) return plural(shown, { one: '1 entry', other: `${number} entries` });
  return t`${formatNumber(shown)} of ${formatNumber(shown + omitted)} entries`;
}
