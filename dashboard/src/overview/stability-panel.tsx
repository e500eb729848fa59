import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useAnswer } from '../api/hooks.ts';
import { Panel } from '../design/panel.tsx';
import type { OverviewData } from './overview-data.ts';
import { SimilarityLine } from './similarity-line.tsx';
import classes from './stability-panel.module.css';

/** Days with a similarity from which on the line says something. */
const LEAST_DAYS = 7;

/** Says how steady the agent was over the last 30 days, and draws how like itself it was. */
export function StabilityPanel({ stability }: { stability: OverviewData['stability'] }) {
  const history = useAnswer('stability', 'GET /stability/history', {});
  const { memories, changes, boot_coverage: coverage, drift_check: check } = stability;
  const similarities = memories.flatMap(({ similarity }) => (similarity === null ? [] : [similarity]));
  const days = history.data?.days ?? [];
  const known = days.filter(({ similarity }) => similarity !== null).length;
  return (
    <Panel title={t`Stability`} hint={t`How far it has moved from who it was`}>
      <ul className={classes.sentences}>
        {similarities.length > 0 && <li>{likeItself(similarities)}</li>}
        {coverage !== null && <li>{inBoot(coverage)}</li>}
        <li>{changesOf(changes)}</li>
        {check !== null && (
          <li>
            <Trans>At its next boot your agent is asked whether this is still itself.</Trans>
          </li>
        )}
      </ul>
      {known >= LEAST_DAYS && <SimilarityLine days={days} />}
    </Panel>
  );
}

function likeItself(similarities: readonly number[]): string {
  const mean = similarities.reduce((sum, similarity) => sum + similarity, 0) / similarities.length;
  const moved = similarities.filter((similarity) => similarity < 1).length;
  if (moved === 0) return t`What is protected says what you last approved, or what it said at first.`;
  return t`What is protected is ${percent(mean)} like what you last approved, or what it said at first; ${moved} of ${similarities.length} have moved.`;
}

function inBoot(coverage: number): string {
  if (coverage >= 1) return t`All of its core came along in each boot.`;
  return t`On average ${percent(coverage)} of its core came along in a boot; the rest did not fit.`;
}

function changesOf({ asked, applied, rejected }: OverviewData['stability']['changes']): string {
  if (asked + applied + rejected === 0) return t`Nobody asked to change what is protected in 30 days.`;
  return plural(asked, {
    one: `In 30 days one change to what is protected was asked for, ${applied} applied, ${rejected} rejected.`,
    other: `In 30 days # changes to what is protected were asked for, ${applied} applied, ${rejected} rejected.`,
  });
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
