import { setting, Type } from '#core'
import { addressSchema } from '#requests'

/** A file: address is no URL: nothing in it is encoded. */
const storePattern = '^(file:((//)?/[^/?#%][^?#%]*)?|(?!file:)[a-z][a-z0-9+-]*:[^?#%]+)?$'

export const mediaSettings = {
  media_store: setting(Type.String({ pattern: storePattern, maxLength: 1000 }), {
    default: 'file:',
    isMachine: true,
    describe:
      'Where media files lie, as file:/absolute/folder; file: alone is the folder media in the home, which backups contain. Or a bucket, as s3://bucket/prefix (storage_endpoint and its like say where). Move the files when it changes.'
  }),
  speech_driver: setting(Type.String({ minLength: 1, maxLength: 60 }), {
    default: 'embedded',
    describe:
      'What speaks: embedded (espeak-ng), command (a program on this machine), openai (any endpoint with /v1/audio/speech), folder (a neural voice in a folder), or a name a plugin registered.'
  }),
  speech_voice: setting(Type.String({ maxLength: 100, pattern: '^[\\w+ .:/-]*$' }), {
    default: '',
    describe:
      "Voice of the engine; empty: its own. For embedded a voice as en-gb, or a variant of the language's own as +f3; for openai a name as alloy; for folder a speaker's number."
  }),
  speech_timeout_seconds: setting(Type.Integer({ minimum: 1, maximum: 600 }), {
    default: 60,
    describe: 'Seconds the engine may take for a sentence.'
  }),
  speech_cache_mb: setting(Type.Integer({ minimum: 0, maximum: 100_000 }), {
    default: 500,
    describe:
      'Megabytes that spoken sentences may take in the home once their episode is made, or has failed: an edit has only new sentences spoken. 0 keeps none. An hour takes some 170.'
  }),
  speech_command: setting(Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), { maxItems: 50 }), {
    default: [],
    isMachine: true,
    describe:
      'Program and arguments for speech_driver=command, as a list in JSON: it reads text on stdin and writes a WAV to stdout. {language} stands for the language of the post. No shell runs.'
  }),
  speech_base_url: setting(addressSchema({ maxLength: 500, pattern: '^(https?://.+)?$' }), {
    default: '',
    describe: 'Address of the speech endpoint up to /v1, for speech_driver=openai: https://api.openai.com/v1.'
  }),
  speech_api_key: setting(Type.String({ maxLength: 500 }), {
    default: '',
    describe: 'API key of the speech endpoint; empty when it needs none.',
    isSecret: true,
    sentTo: 'speech_base_url'
  }),
  speech_model: setting(Type.String({ maxLength: 200 }), {
    default: '',
    describe: 'Model the speech endpoint is asked for.'
  }),
  speech_model_path: setting(Type.String({ maxLength: 1000 }), {
    default: '',
    isMachine: true,
    describe: 'Folder of a voice, for speech_driver=folder: a model *.onnx with tokens.txt, as sherpa-onnx reads it.'
  })
}

export type MediaSettings = typeof mediaSettings
