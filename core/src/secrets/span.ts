/** A secret in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** What it is, such as `github-token`. */
  readonly kind: string;
}

/** Sorts spans, and joins those that overlap under the kind of the longest. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (!last || span.start >= last.end) {
      merged.push(span);
      continue;
    }
    const longest = last.end - last.start >= span.end - span.start ? last : span;
    merged[merged.length - 1] = {
      start: last.start,
      end: Math.max(last.end, span.end),
      kind: longest.kind,
    };
  }
  return merged;
}

/** Replaces spans that do not overlap. */
export function replaceSpans(text: string, spans: readonly Span[], mark: (kind: string) => string): string {
  let end = 0;
  let replaced = '';
  for (const span of spans) {
    replaced += text.slice(end, span.start) + mark(span.kind);
    end = span.end;
  }
  return replaced + text.slice(end);
}
