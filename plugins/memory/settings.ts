import { setting, Type } from '#core'
import { addressSchema } from '#requests'

export const memorySettings = {
  embedder: setting(Type.String({ minLength: 1, maxLength: 60 }), {
    default: 'embedded',
    describe:
      'What turns texts into vectors: embedded (needs nothing), openai (any OpenAI-compatible endpoint), onnx (a model in a folder), or a name a plugin registered.'
  }),
  embedder_base_url: setting(addressSchema({ maxLength: 500, pattern: '^(https?://.+)?$' }), {
    default: '',
    describe: 'Address of the OpenAI-compatible endpoint up to /v1, for embedder=openai: http://127.0.0.1:11434/v1.'
  }),
  embedder_api_key: setting(Type.String({ maxLength: 500 }), {
    default: '',
    describe: 'API key of the embeddings endpoint; empty when it needs none.',
    isSecret: true,
    sentTo: 'embedder_base_url'
  }),
  embedder_model: setting(Type.String({ maxLength: 200 }), {
    default: '',
    describe: 'Model the embeddings endpoint is asked for; its vectors must have 768 numbers.'
  }),
  embedder_model_path: setting(Type.String({ maxLength: 1000 }), {
    default: '',
    isMachine: true,
    describe:
      'Folder of a model, for embedder=onnx: model.onnx, and vocab.txt or tokenizer.json (WordPiece). Its vectors must have 768 numbers.'
  }),
  embedder_timeout_seconds: setting(Type.Integer({ minimum: 1, maximum: 600 }), {
    default: 10,
    describe: 'Seconds one request to the embeddings endpoint may take. Storing a text waits 2 at most; a job goes on.'
  }),
  embedder_requests_per_minute: setting(Type.Integer({ minimum: 0, maximum: 100_000 }), {
    default: 0,
    describe: 'Requests a minute this process sends to the embeddings endpoint, evenly spread; 0: as many as there are.'
  }),
  memory_max_bytes: setting(Type.Integer({ minimum: 1024, maximum: 104_857_600 }), {
    default: 2_097_152,
    describe: 'Largest text the memory stores, in bytes of UTF-8.'
  })
}

export type MemorySettings = typeof memorySettings
