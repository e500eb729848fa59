import { useComputedColorScheme } from '@mantine/core';
import { useMemo } from 'react';
import type { MemoryType } from '../design/type-mark.tsx';

/** The page's colours, as a canvas needs them. */
export interface Palette {
  readonly dark: boolean;
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly surface: string;
  readonly types: Readonly<Record<MemoryType, string>>;
}

/** Reads the colours in force; anew when the human switches between light and dark. */
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

/** A tooltip drawn on the canvas: it is text whatever a memory says, never HTML. */
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
