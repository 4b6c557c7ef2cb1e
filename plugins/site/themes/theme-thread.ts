import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { errorCode, messageOf } from '#core'
import { packHtml } from './html-transfer.ts'
import { ThemeError } from './theme-error.ts'
import type { LoadedTheme, ThemeMessage, ThemePage, ThemeStart } from './theme-messages.ts'
import type { ThemeSource } from './theme-source.ts'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const workerUrl = new URL(`./theme-worker${path.extname(import.meta.url)}`, import.meta.url)

const maxStartMs = 15_000
/** A page takes some milliseconds. On a machine with too much to do a thread may wait for a second. */
const maxPageMs = 2_000
const maxWaiting = 32
const heapMb = 192

/** A theme in a thread of its own, which makes one page at a time. */
export interface ThemeThread {
  readonly theme: LoadedTheme
  /** @throws ThemeError */
  render(page: ThemePage): Promise<string>
  isAlive(): boolean
  end(): void
}

/** @throws ThemeError */
export async function startThemeThread(source: ThemeSource): Promise<ThemeThread> {
  const mark = randomUUID()
  const workerData: ThemeStart = { ...source, mark }
  const worker = new Worker(workerUrl, {
    name: 'theme',
    workerData,
    // Nothing of this process's environment, which holds keys. What a theme prints must not come between a command's lines.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMb }
  })
  const calls = createCalls(worker)
  const loaded = await calls.next(maxStartMs, '', () => {})
  if (loaded.kind !== 'loaded') {
    calls.end()
    throw new ThemeError(loaded.kind === 'fault' ? loaded.fault : 'did not start', { isPassing: false })
  }
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  return {
    theme: loaded.theme,
    isAlive: calls.isAlive,
    end: calls.end,
    async render({ kind, site, view }) {
      if (waiting >= maxWaiting)
        throw new ThemeError('has too many pages to make', { isPassing: true, isOfOthers: true })
      waiting += 1
      const request: ThemePage = { kind, site, view: packHtml(view, mark) }
      const made = last.then(() => calls.next(maxPageMs, ` at its template ${kind}`, () => worker.postMessage(request)))
      last = made.catch(() => {})
      try {
        const message = await made
        if (message.kind === 'page') return message.html
        throw new ThemeError(message.kind === 'fault' ? message.fault : 'answered out of turn', { isPassing: false })
      } finally {
        waiting -= 1
      }
    }
  }
}

/** Waits for what the thread says next. A thread that is too slow is ended. */
function createCalls(worker: Worker) {
  let isAlive = true
  let pending: { place: string; resolve(message: ThemeMessage): void; reject(error: Error): void } | undefined
  const end = (reason: string) => {
    isAlive = false
    pending?.reject(new ThemeError(reason + pending.place, { isPassing: true }))
    void worker.terminate()
  }
  worker.on('message', (message: ThemeMessage) => pending?.resolve(message))
  worker.on('error', (error: unknown) =>
    end(errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? `took more than ${heapMb} MB` : `failed: ${messageOf(error)}`)
  )
  worker.on('exit', () => end('ended its thread'))
  worker.unref()
  return {
    isAlive: () => isAlive,
    end: () => end('was ended'),
    /** `place` ends the sentence about a thread that ends meanwhile. */
    async next(maxMs: number, place: string, begin: () => void): Promise<ThemeMessage> {
      if (!isAlive) throw new ThemeError('is not running', { isPassing: true, isOfOthers: true })
      worker.ref()
      const timer = setTimeout(() => end(`took longer than ${maxMs / 1000} s`), maxMs)
      try {
        return await new Promise<ThemeMessage>((resolve, reject) => {
          pending = { place, resolve, reject }
          begin()
        })
      } finally {
        pending = undefined
        clearTimeout(timer)
        worker.unref()
      }
    }
  }
}
