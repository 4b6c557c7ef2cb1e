// Runs an ONNX model in a thread of its own: a batch takes seconds, and the event loop has other work.
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { errorCode, messageOf } from '#core/unknown'
import type { OnnxAnswer, OnnxRequest, OnnxStart } from './onnx-protocol.ts'

interface Tensor {
  readonly dims: readonly number[]
  readonly data: unknown
}
interface Session {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(feeds: Record<string, Tensor>): Promise<Record<string, Tensor>>
}
/** What both packages have in common. */
interface Runtime {
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor
  readonly InferenceSession: { create(model: string | Uint8Array): Promise<Session> }
  readonly env: { wasm?: { numThreads?: number } }
}

class RuntimeMissing extends Error {}

const { modelFile, pooling }: OnnxStart = workerData
const answer = (message: OnnxAnswer) => parentPort?.postMessage(message)
const failed = (id: number | null, error: unknown) =>
  answer({
    kind: 'failed',
    id,
    message: messageOf(error),
    isRuntimeMissing: error instanceof RuntimeMissing
  })

try {
  const { runtime, session } = await start()
  parentPort?.on('message', (request: OnnxRequest) => {
    run(runtime, session, request).catch(error => failed(request.id, error))
  })
  answer({ kind: 'ready' })
} catch (error) {
  failed(null, error)
}

async function start(): Promise<{ runtime: Runtime; session: Session }> {
  const native = await load('onnxruntime-node')
  if (native !== null) return { runtime: native, session: await native.InferenceSession.create(modelFile) }
  const portable = await load('onnxruntime-web')
  if (portable === null) throw new RuntimeMissing('neither onnxruntime-node nor onnxruntime-web is installed')
  // More threads would be processes' worth of memory; this one is the model's.
  portable.env.wasm = Object.assign(portable.env.wasm ?? {}, { numThreads: 1 })
  return { runtime: portable, session: await portable.InferenceSession.create(await readFile(modelFile)) }
}

async function load(name: string): Promise<Runtime | null> {
  try {
    const runtime: Runtime = await import(name)
    return runtime
  } catch (error) {
    if (errorCode(error) === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
}

async function run(runtime: Runtime, session: Session, { id, rows, tokens, mask }: OnnxRequest): Promise<void> {
  const dims = [rows, tokens.length / rows]
  const given: Record<string, BigInt64Array> = {
    input_ids: tokens,
    attention_mask: mask,
    token_type_ids: new BigInt64Array(tokens.length)
  }
  const feeds: Record<string, Tensor> = {}
  for (const name of session.inputNames) {
    const numbers = given[name]
    if (numbers === undefined) throw new Error(`the model wants an input ${name}, which is not known`)
    feeds[name] = new runtime.Tensor('int64', numbers, dims)
  }
  const outputs = await session.run(feeds)
  const wanted = ['sentence_embedding', 'last_hidden_state', ...session.outputNames].find(name => name in outputs) ?? ''
  const numbers = pool(outputs[wanted], rows, mask)
  parentPort?.postMessage({ kind: 'vectors', id, numbers } satisfies OnnxAnswer, [numbers.buffer])
}

/** One vector a row: as the model gives it, of its first token, or the mean of its tokens without the padding. */
function pool(output: Tensor | undefined, rows: number, mask: BigInt64Array): Float32Array<ArrayBuffer> {
  if (!(output?.data instanceof Float32Array)) throw new Error('the model gives no 32-bit numbers')
  const { dims, data } = output
  if (dims[0] !== rows || dims.length < 2 || dims.length > 3)
    throw new Error(`the model gives ${dims.join(' × ')} numbers`)
  if (dims.length === 2) return Float32Array.from(data)
  const [, length = 0, width = 0] = dims
  const pooled = new Float32Array(rows * width)
  for (let row = 0; row < rows; row++) {
    let counted = 0
    for (let token = 0; token < (pooling === 'first' ? 1 : length); token++) {
      if (mask[row * length + token] === 0n) continue
      counted++
      const from = (row * length + token) * width
      for (let at = 0; at < width; at++) {
        pooled[row * width + at] = (pooled[row * width + at] ?? 0) + (data[from + at] ?? 0)
      }
    }
    for (let at = 0; at < width; at++) pooled[row * width + at] = (pooled[row * width + at] ?? 0) / Math.max(counted, 1)
  }
  return pooled
}
