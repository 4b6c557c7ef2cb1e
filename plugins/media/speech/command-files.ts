import { type FileHandle, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { maxWavBytes } from '../audio/wav.ts'
import { guardWriting } from '../work-fault.ts'

/**
 * What a program has as stdin, stdout and stderr. They are files, because Node's pipes are sockets: many engines open
 * /dev/stdin and /dev/stdout by path, which a socket does not allow.
 */
export interface CommandFiles {
  input: FileHandle
  output: FileHandle
  messages: FileHandle
  close(): Promise<void>
}

/** Input and messages have no name from the start, so that no crash leaves them behind. @throws UnavailableError */
export async function openCommandFiles(file: string, text: string): Promise<CommandFiles> {
  const opened: FileHandle[] = []
  const close = async () => {
    await Promise.all(opened.map(handle => handle.close()))
  }
  const openNext = async (name: string, flags: string): Promise<FileHandle> => {
    const handle = await open(name, flags, 0o600)
    opened.push(handle)
    return handle
  }
  const openUnnamed = async (name: string): Promise<FileHandle> => {
    const handle = await openNext(name, 'wx+')
    await rm(name)
    return handle
  }
  try {
    return await guardWriting(path.dirname(file), async () => {
      const input = await openUnnamed(`${file}.stdin`)
      // At a place that is named, so that the program begins to read at the first byte.
      await input.write(text, 0)
      return {
        input,
        output: await openNext(file, 'w'),
        messages: await openUnnamed(`${file}.stderr`),
        close
      }
    })
  } catch (error) {
    await close()
    throw error
  }
}

/** A disk takes some tens of megabytes meanwhile. */
const watchMs = 20

/** Looks at what a program writes until `signal` is aborted, and calls `end` once it is too much, or cannot be told. */
export async function watchSizes(
  files: Pick<CommandFiles, 'output' | 'messages'>,
  signal: AbortSignal,
  end: () => void
): Promise<void> {
  while (!signal.aborted) {
    if (await isTooMuch(files).catch(() => true)) return end()
    await wait(watchMs, undefined, { signal }).catch(() => {})
  }
}

/** Whether a program wrote more than it may for one sentence. */
export async function isTooMuch({ output, messages }: Pick<CommandFiles, 'output' | 'messages'>): Promise<boolean> {
  for (const handle of [output, messages]) if ((await handle.stat()).size > maxWavBytes) return true
  return false
}

/** The last `maxBytes` of a file. */
export async function readEnd(handle: FileHandle, maxBytes: number): Promise<Buffer> {
  const { size } = await handle.stat()
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes), 0, maxBytes, Math.max(0, size - maxBytes))
  return buffer.subarray(0, bytesRead)
}
