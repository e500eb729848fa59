/** What the windows of this browser tell each other. A window does not hear itself. */
interface WindowChannel<News> {
  tell(news: News): void;
  /** @returns what ends the listening. */
  listen(listener: (news: News) => void): () => void;
}

/** A channel of this name between the windows. */
export function windowChannel<News>(name: string): WindowChannel<News> {
  return {
    tell: (news) => {
      const channel = new BroadcastChannel(name);
      channel.postMessage(news);
      channel.close();
    },
    listen: (listener) => {
      const channel = new BroadcastChannel(name);
      channel.onmessage = ({ data }: MessageEvent<News>) => listener(data);
      return () => channel.close();
    },
  };
}
