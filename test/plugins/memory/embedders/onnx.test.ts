// Not on a server: a model turns texts into numbers; how those are stored and found is proved in ../search.
import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createOnnxEmbedder } from '../../../../plugins/memory/embedders/onnx.ts'
import { tableModel } from '../../../helpers/onnx-model.ts'
import { type MemoryUnderTest, startMemory } from '../service.ts'

const pieces = '[PAD] [UNK] [CLS] [SEP] tide moon bread flour'.split(' ')
/** Word n points along axis n; the marks point nowhere, so that the mean of the words is left. */
const vectors = pieces.map((_, id) => {
  const row = new Float32Array(768)
  if (id > 3) row[id] = 1
  return row
})

const root = mkdtempSync(join(tmpdir(), 'galley-onnx-'))
let made = 0
/** A model's folder of its own; null leaves a file out. */
function makeFolder(files: Record<string, string | Uint8Array | null> = {}): string {
  const folder = mkdtempSync(join(root, `model-${made++}-`))
  const all = { 'model.onnx': tableModel(vectors), 'vocab.txt': `${pieces.join('\n')}\n`, ...files }
  for (const [name, content] of Object.entries(all)) if (content !== null) writeFileSync(join(folder, name), content)
  return folder
}

const isInstalled = await import('onnxruntime-web').then(
  () => true,
  () => false
)
let service: MemoryUnderTest
before(async () => {
  service = await startMemory()
})
// Reading the runtime takes long on a busy machine.
beforeEach(() => service.set({ embedder: 'onnx', embedder_timeout_seconds: 120 }))
after(async () => {
  await service.close()
  rmSync(root, { recursive: true })
})

describe('a model in a folder', { skip: isInstalled ? false : 'onnxruntime-web is not installed' }, () => {
  test('gives the mean of its tokens, whatever stands beside in the batch, without the padding', async () => {
    const folder = makeFolder()
    service.set({ embedder_model_path: folder })
    const { model, embeddings } = await service.memory.embed(['tide moon', 'Bread.', 'tide', 'bread flour flour flour'])
    assert.match(model, new RegExp(`^onnx:${folder.split('/').at(-1)}-[0-9a-f]{8}$`))
    const rounded = embeddings.map(vector => vector.slice(4, 8).map(value => Math.round(value * 100) / 100))
    assert.deepEqual(rounded, [
      [0.71, 0.71, 0, 0],
      [0, 0, 1, 0],
      [1, 0, 0, 0],
      [0, 0, 0.32, 0.95]
    ])
  })

  test('reads a tokenizer.json as well, and more texts than a batch', async () => {
    const vocab = Object.fromEntries(pieces.map((piece, id) => [piece, id]))
    const tokenizer = JSON.stringify({ model: { type: 'WordPiece', vocab } })
    service.set({ embedder_model_path: makeFolder({ 'vocab.txt': null, 'tokenizer.json': tokenizer }) })
    const { embeddings } = await service.memory.embed(Array.from({ length: 40 }, (_, at) => pieces[4 + (at % 4)] ?? ''))
    assert.deepEqual(
      embeddings.map(vector => vector.indexOf(1)),
      Array.from({ length: 40 }, (_, at) => 4 + (at % 4))
    )
  })

  test('is searched with', async () => {
    service.set({ embedder_model_path: makeFolder() })
    // Once it is read: to store a text waits for 2 s at most.
    await service.memory.embed(['tide'])
    const entry = { source_table: 'memory', writer: 'operator' } as const
    await service.memory.store({ ...entry, source_id: 'sea', text: 'tide moon' })
    await service.memory.store({ ...entry, source_id: 'oven', text: 'bread flour' })
    const { items, degraded } = await service.memory.search({ q: 'moon' })
    assert.deepEqual([items.map(item => item.source_id), degraded], [['sea'], false])
  })

  test('that gives other than 768 numbers is refused', async () => {
    service.set({
      embedder_model_path: makeFolder({ 'model.onnx': tableModel(vectors.map(row => row.slice(0, 384))) })
    })
    await assert.rejects(service.memory.embed(['tide']), /gives 384 numbers a text, and 768 are needed/)
  })

  test('that is no model is refused, and works once it is put right', async () => {
    const folder = makeFolder({ 'model.onnx': 'not a model' })
    service.set({ embedder_model_path: folder })
    await assert.rejects(service.memory.embed(['tide']), { code: 'SERVICE_UNAVAILABLE', message: /does not run: / })
    writeFileSync(join(folder, 'model.onnx'), tableModel(vectors))
    assert.equal((await service.memory.embed(['tide'])).embeddings.length, 1)
  })
})

describe('a folder that cannot be used', () => {
  const folders: [string, () => string, RegExp][] = [
    ['is not named', () => '', /embedder_model_path is empty/],
    ['is not there', () => join(root, 'nothing'), /is no folder/],
    ['holds no model', () => makeFolder({ 'model.onnx': null }), /holds neither model.onnx nor onnx\/model.onnx/],
    ['holds no vocabulary', () => makeFolder({ 'vocab.txt': null }), /holds neither vocab.txt nor a tokenizer.json/],
    [
      'holds another kind of tokenizer',
      () => makeFolder({ 'vocab.txt': null, 'tokenizer.json': '{"model":{"type":"Unigram"}}' }),
      /of the kind Unigram, and only WordPiece/
    ],
    ['holds a broken file', () => makeFolder({ 'tokenizer_config.json': '{' }), /tokenizer_config.json is not JSON/],
    ['holds a vocabulary without marks', () => makeFolder({ 'vocab.txt': 'a\nb\n' }), /none of \[CLS\]/]
  ]
  for (const [name, make, message] of folders) {
    test(`because it ${name} says so, and texts are stored all the same`, async () => {
      service.set({ embedder_model_path: make() })
      await assert.rejects(service.memory.embed(['tide']), { code: 'SERVICE_UNAVAILABLE', message })
      const stored = await service.memory.store({
        source_table: 'memory',
        source_id: name,
        writer: 'x',
        text: 'A text.'
      })
      assert.equal(stored.stored, true)
    })
  }
})

test('without a runtime it is said which to install', async () => {
  // From here no installed package is in reach.
  const worker = join(root, 'onnx-worker.ts')
  const unknown = join(root, 'unknown.ts')
  copyFileSync(new URL('../../../../plugins/memory/embedders/onnx-worker.ts', import.meta.url), worker)
  copyFileSync(new URL('../../../../core/unknown.ts', import.meta.url), unknown)
  writeFileSync(join(root, 'package.json'), '{"type":"module","imports":{"#core/unknown":"./unknown.ts"}}')
  const settings = { get: () => makeFolder() as never }
  const embedder = createOnnxEmbedder(settings, pathToFileURL(worker))
  await assert.rejects(embedder.embed(['tide'], new AbortController().signal), {
    code: 'SERVICE_UNAVAILABLE',
    message:
      'embedder=onnx needs a runtime: npm install onnxruntime-node (faster) or onnxruntime-web (runs everywhere) beside galley.'
  })
})
