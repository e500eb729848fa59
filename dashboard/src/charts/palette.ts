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
