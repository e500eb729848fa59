import { useComputedColorScheme } from '@mantine/core';
import type { fields } from '@svc-memory/core/contract';
import { useMemo } from 'react';

/** The page's colours as values, because a canvas cannot use CSS variables. */
export interface Palette {
  readonly dark: boolean;
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly surface: string;
  readonly types: Readonly<Record<fields.MemoryType, string>>;
}

/** Reads the current colours, and reads them again when the colour scheme changes. */
export function usePalette(): Palette {
  const dark = useComputedColorScheme('light') === 'dark';
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement);
    const read = (name: string) => style.getPropertyValue(name).trim();
    return {
      dark,
      text: read('--mantine-color-text'),
      quiet: read('--mantine-color-dimmed'),
      line: read('--line'),
      surface: read('--surface'),
      types: {
        core: read('--type-core'),
        working: read('--type-working'),
        episodic: read('--type-episodic'),
        semantic: read('--type-semantic'),
      },
    };
  }, [dark]);
}

/** Colours of groups, in the order of their size: each can be told from its neighbours, in light and dark. */
export const GROUP_COLORS = [
  '#6957da',
  '#d9822b',
  '#0b84c6',
  '#22a06b',
  '#c2417c',
  '#8a6d1a',
  '#3f8f98',
  '#a34fd0',
  '#5b7f2a',
  '#c4533a',
  '#4a6bd6',
  '#7d6b8a',
] as const;

/** Options of a tooltip drawn on the canvas. It shows text as it is and never as HTML. */
export function tooltip({ surface, line, text }: Palette) {
  return {
    renderMode: 'richText' as const,
    backgroundColor: surface,
    borderColor: line,
    borderWidth: 1,
    padding: [8, 12],
    textStyle: { color: text, fontFamily: "'Inter Variable', sans-serif", fontSize: 12.5, lineHeight: 18 },
    confine: true,
  };
}
