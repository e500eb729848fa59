import { Trans } from '@lingui/react/macro';
import { Slider } from '@mantine/core';
import { useId } from 'react';
import { formatNumber } from '../design/format.ts';
import classes from './boot.module.css';

interface Props {
  readonly label: string;
  readonly description: string;
  readonly unit: string;
  /** The values to choose from, ascending. The slider gives each step the same room. */
  readonly steps: readonly number[];
  readonly value: number;
  readonly saved: number;
  readonly onChange: (value: number) => void;
}

/** A slider over steps of growing size, so that small values can be chosen as exactly as large ones. */
export function SizeSlider({ label, description, unit, steps, value, saved, onChange }: Props) {
  const id = useId();
  // A saved value need not be one of the steps, nor one that was saved before and is kept here.
  const values = [...new Set([...steps, saved, value])].sort((a, b) => a - b);
  const index = Math.max(0, values.indexOf(value));
  const at = (position: number) => values[position] ?? saved;
  return (
    <div>
      <div className={classes.label}>
        <span id={id} className={classes.name}>
          {label}
        </span>
        <output className={classes.value}>
          {formatNumber(value)} <span className={classes.unit}>{unit}</span>
        </output>
      </div>
      <Slider
        aria-labelledby={id}
        thumbProps={{ 'aria-labelledby': id, 'aria-valuetext': `${formatNumber(value)} ${unit}` }}
        min={0}
        max={values.length - 1}
        step={1}
        value={index}
        label={null}
        marks={[{ value: values.indexOf(saved) }]}
        onChange={(position) => onChange(at(position))}
      />
      <p className={classes.description}>
        {description}
        {value !== saved && <Trans> · saved: {formatNumber(saved)}</Trans>}
      </p>
    </div>
  );
}
