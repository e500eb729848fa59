export { createStaticEmbedder, STATIC_MODEL } from './static-embedder.ts';
