const WIDTH = 120;
const HEIGHT = 24;
const LEAST = 1.5;

/** Draws a row of numbers as small bars without axes, the newest last. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const most = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length);
  // By the square root, so that a day of an import does not flatten all the others.
  const heightOf = (value: number) => (value === 0 ? LEAST : Math.max(4, HEIGHT * Math.sqrt(value / most)));
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      width="100%"
      height={HEIGHT}
      role="img"
      aria-label={label}
    >
      {values.map((value, day) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: each day has its place
          key={day}
          x={day * step}
          y={HEIGHT - heightOf(value)}
          width={step * 0.7}
          height={heightOf(value)}
          fill="currentColor"
          opacity={value === 0 ? 0.25 : 0.9}
        />
      ))}
    </svg>
  );
}
