import type { OnnxFolder } from './onnx-folder.ts'

/** What the thread that runs an ONNX model is started with. */
export type OnnxStart = Pick<OnnxFolder, 'modelFile' | 'pooling'>

/** Token numbers of some texts, each row padded to the same length. */
export interface OnnxRequest {
  id: number
  rows: number
  tokens: BigInt64Array
  mask: BigInt64Array
}

export type OnnxAnswer =
  | { kind: 'ready' }
  /** `id` is null when the model could not be loaded. */
  | { kind: 'failed'; id: number | null; message: string; isRuntimeMissing: boolean }
  | { kind: 'vectors'; id: number; numbers: Float32Array }
