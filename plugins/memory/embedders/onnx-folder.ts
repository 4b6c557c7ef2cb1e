import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { isObject, messageOf, UnavailableError } from '#core'
import { createWordPiece, type Tokenizer } from './word-piece.ts'

/** A model's folder as Hugging Face lays it out. */
export interface OnnxFolder {
  modelFile: string
  tokenizer: Tokenizer
  /** Tokens of a text the model reads at most. */
  maxTokens: number
  /** Whether the first token stands for the text, or the mean of all. */
  pooling: 'first' | 'mean'
}

/** More costs time by its square; passages of 200 words are below it. */
const maxTokens = 512

export const noFolder = 'The setting embedder is onnx, but embedder_model_path is empty: set it to the folder'

/** @throws UnavailableError naming what is missing or not as expected */
export async function readOnnxFolder(folder: string): Promise<OnnxFolder> {
  if (folder === '') throw modelError(noFolder)
  if (!(await isFolder(folder))) throw modelError(`embedder_model_path is ${folder}, which is no folder: correct it`)
  const modelFile = ['model.onnx', 'onnx/model.onnx'].map(name => path.join(folder, name)).find(existsSync)
  if (modelFile === undefined) throw modelError(`${folder} holds neither model.onnx nor onnx/model.onnx: put it there`)
  const settings = await readJson(path.join(folder, 'tokenizer_config.json'))
  const longest = Number(settings?.model_max_length)
  const pooling = await readJson(path.join(folder, '1_Pooling', 'config.json'))
  return {
    modelFile,
    tokenizer: await readTokenizer(folder, settings?.do_lower_case !== false),
    maxTokens: longest >= 8 && longest < maxTokens ? longest : maxTokens,
    pooling: pooling?.pooling_mode_cls_token === true ? 'first' : 'mean'
  }
}

async function readTokenizer(folder: string, isUncased: boolean): Promise<Tokenizer> {
  const lines = path.join(folder, 'vocab.txt')
  const vocabulary = existsSync(lines) ? vocabularyOf(await readFile(lines, 'utf8')) : await readVocabulary(folder)
  try {
    return createWordPiece({ vocabulary, isUncased })
  } catch (error) {
    const reason = messageOf(error)
    throw modelError(`${folder}: ${reason} Only WordPiece (BERT's) is read: choose another model`, error)
  }
}

const vocabularyOf = (text: string): Map<string, number> =>
  new Map(
    text
      .replace(/\r?\n$/, '')
      .split(/\r?\n/)
      .map((piece, id) => [piece, id])
  )

async function readVocabulary(folder: string): Promise<Map<string, number>> {
  const file = path.join(folder, 'tokenizer.json')
  const model = asObject((await readJson(file))?.model)
  if (model === null)
    throw modelError(`${folder} holds neither vocab.txt nor a tokenizer.json with a model: put one there`)
  if (model.type !== undefined && model.type !== 'WordPiece')
    throw modelError(`${file} is of the kind ${model.type}, and only WordPiece (BERT's) is read: choose another model`)
  const pieces = Object.entries(asObject(model.vocab) ?? {})
  return new Map(pieces.filter((piece): piece is [string, number] => typeof piece[1] === 'number'))
}

const asObject = (value: unknown): Readonly<Record<string, unknown>> | null => (isObject(value) ? value : null)

/** Null when there is no such file. */
async function readJson(file: string): Promise<Readonly<Record<string, unknown>> | null> {
  if (!existsSync(file)) return null
  try {
    return asObject(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    throw modelError(`${file} is not JSON: put the model's own there`, error)
  }
}

const isFolder = async (folder: string): Promise<boolean> =>
  await stat(folder).then(
    found => found.isDirectory(),
    () => false
  )

const modelError = (what: string, cause?: unknown): UnavailableError => new UnavailableError(`${what}.`, { cause })
