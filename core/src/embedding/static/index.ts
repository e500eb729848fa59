export { createStaticEmbedder } from './static-embedder.ts';
