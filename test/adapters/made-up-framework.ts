/** A framework that does not exist, as others are: agents, plugins with hooks, and a context that overflows. */
export interface Line {
  readonly by: 'human' | 'bot' | 'plugin';
  readonly says: string;
}

export interface Plugin {
  /** A chat opens; what is answered is put first. */
  onOpen?(chat: { id: string; first: Line }): Promise<Line[]>;
  /** The oldest lines are about to be cut; what is answered is put in their place. */
  onCut?(chat: { id: string; cut: readonly Line[]; rest: readonly Line[] }): Promise<Line[]>;
  /** The bot has answered. */
  onAnswer?(chat: { id: string; lines: readonly Line[] }): Promise<void>;
}

/** Opens a chat with a bot that sees at most so many lines. */
export function openChat(
  id: string,
  bot: (lines: readonly Line[]) => string,
  { plugin, most }: { plugin: Plugin; most: number },
) {
  let lines: Line[] = [];
  return async (says: string): Promise<string> => {
    const line: Line = { by: 'human', says };
    if (lines.length === 0) lines = (await plugin.onOpen?.({ id, first: line })) ?? [];
    lines.push(line);
    if (lines.length > most) {
      const rest = lines.slice(-most / 2);
      const cut = lines.slice(0, -most / 2);
      lines = [...((await plugin.onCut?.({ id, cut, rest })) ?? []), ...rest];
    }
    const answer = bot(lines);
    lines.push({ by: 'bot', says: answer });
    await plugin.onAnswer?.({ id, lines });
    return answer;
  };
}
