import { createHash } from 'node:crypto'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { batched } from '#concurrency'
import { type Settings, UnavailableError } from '#core'
import type { Embedder } from '../index.ts'
import type { MemorySettings } from '../settings.ts'
import { noFolder, readOnnxFolder } from './onnx-folder.ts'
import type { OnnxAnswer, OnnxRequest, OnnxStart } from './onnx-protocol.ts'

/** The extension is that of this very file: .ts when run from source, .js when compiled. */
const workerUrl = new URL(`./onnx-worker${path.extname(import.meta.url)}`, import.meta.url)
const textsPerBatch = 16

/** A loaded model in a thread of its own. */
interface Running {
  embed(texts: readonly string[]): Promise<number[][]>
}

/** A model in a folder of this machine, run by an ONNX runtime that is installed beside the service. */
export function createOnnxEmbedder(settings: Pick<Settings<MemorySettings>, 'get'>, worker = workerUrl): Embedder {
  const running = new Map<string, Promise<Running>>()
  const start = (folder: string): Promise<Running> => {
    const known = running.get(folder)
    if (known !== undefined) return known
    const forget = () => void running.delete(folder)
    const started = startModel(folder, worker, forget)
    running.set(folder, started)
    // The next text tries again.
    started.catch(forget)
    return started
  }
  const embedIn =
    (folder: string): Embedder['embed'] =>
    async (texts, signal) => {
      const model = await start(folder)
      const vectors: number[][] = []
      for (const batch of batched(texts, { maxItems: textsPerBatch })) {
        signal.throwIfAborted()
        vectors.push(...(await model.embed(batch)))
      }
      return vectors
    }
  const folder = () => settings.get('embedder_model_path')
  return {
    get model() {
      return folder() === '' ? '' : modelOf(folder())
    },
    get settingsFault() {
      return folder() === '' ? noFolder : null
    },
    get origin() {
      return { model_path: folder() }
    },
    embed: (texts, signal) => embedIn(folder())(texts, signal),
    forModel: (model, { model_path = '' }) => ({ model, embed: embedIn(model_path) })
  }
}

/** Folders of one name may hold different models. */
function modelOf(folder: string): string {
  const whole = path.resolve(folder)
  return `onnx:${path.basename(whole)}-${createHash('sha256').update(whole).digest('hex').slice(0, 8)}`
}

async function startModel(folder: string, workerUrl: URL, onEnd: () => void): Promise<Running> {
  const { modelFile, pooling, maxTokens, tokenizer } = await readOnnxFolder(folder)
  const start: OnnxStart = { modelFile, pooling }
  const ask = await startWorker(folder, new Worker(workerUrl, { workerData: start, name: 'onnx', execArgv: [] }), onEnd)
  return {
    async embed(texts) {
      const numbers = await ask(
        requestOf(
          texts.map(text => tokenizer.encode(text, maxTokens)),
          tokenizer.pad
        )
      )
      const width = numbers.length / texts.length
      return texts.map((_, row) => Array.from(numbers.subarray(row * width, (row + 1) * width)))
    }
  }
}

type Ask = (request: Omit<OnnxRequest, 'id'>) => Promise<Float32Array>
interface Waiting {
  resolve(numbers: Float32Array): void
  reject(error: Error): void
}

/** Follows the thread; resolves once the model is loaded. */
async function startWorker(folder: string, worker: Worker, onEnd: () => void): Promise<Ask> {
  const waiting = new Map<number, Waiting>()
  let last = 0
  const failAll = (error: Error) => {
    onEnd()
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const loaded = Promise.withResolvers<void>()
  worker.on('message', (answer: OnnxAnswer) => {
    if (answer.kind === 'ready') return loaded.resolve()
    const asked = waiting.get(answer.id ?? -1)
    waiting.delete(answer.id ?? -1)
    if (waiting.size === 0) worker.unref()
    if (answer.kind === 'vectors') return asked?.resolve(answer.numbers)
    const error = faultOf(folder, answer.message, answer.isRuntimeMissing)
    if (answer.id === null) loaded.reject(error)
    else asked?.reject(error)
  })
  const end = (reason: string) => {
    failAll(faultOf(folder, reason))
    loaded.reject(faultOf(folder, reason))
  }
  worker.on('error', error => end(error.message))
  worker.on('exit', code => end(`its thread ended with ${code}`))
  await loaded.promise.catch(async error => {
    await worker.terminate()
    throw error
  })
  // A model that waits for texts keeps no process alive.
  worker.unref()
  return request =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject })
      worker.ref()
      worker.postMessage({ ...request, id: last } satisfies OnnxRequest)
    })
}

function faultOf(folder: string, message: string, isRuntimeMissing = false): UnavailableError {
  return new UnavailableError(
    isRuntimeMissing
      ? 'embedder=onnx needs a runtime: npm install onnxruntime-node (faster) or onnxruntime-web (runs everywhere) beside galley.'
      : `The model in ${folder} does not run: ${message}.`
  )
}

function requestOf(texts: readonly number[][], pad: number): Omit<OnnxRequest, 'id'> {
  const longest = Math.max(...texts.map(ids => ids.length))
  const tokens = new BigInt64Array(texts.length * longest).fill(BigInt(pad))
  const mask = new BigInt64Array(texts.length * longest)
  for (const [row, ids] of texts.entries()) {
    for (const [at, id] of ids.entries()) {
      tokens[row * longest + at] = BigInt(id)
      mask[row * longest + at] = 1n
    }
  }
  return { rows: texts.length, tokens, mask }
}
