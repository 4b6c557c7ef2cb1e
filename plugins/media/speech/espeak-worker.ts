// Runs espeak-ng in a process of its own.
import { readFile } from 'node:fs/promises'
import { beChild } from '#child-process/be-child'
import { answerRequests } from '#child-process/worker-main'
import type { EspeakRequest } from './espeak-protocol.ts'
import { type VoiceAnswer, writeAnswer } from './voice-answer.ts'

/** What emscripten gives of a program. */
interface Program {
  FS: {
    writeFile(name: string, content: string): void
    readFile(name: string): Uint8Array<ArrayBuffer>
    unlink(name: string): void
  }
}
interface ProgramExports {
  memory: { readonly buffer: ArrayBuffer }
  __main_argc_argv(count: number, args: number): number
  stackSave(): number
  stackRestore(pointer: number): void
  stackAlloc(bytes: number): number
}
type Imports = Readonly<Record<string, object>>
interface Instance {
  readonly exports: ProgramExports
}
/** Node's own types know little of it. */
declare const WebAssembly: {
  instantiate(wasm: Uint8Array, imports: Imports): Promise<{ instance: Instance }>
}
type Load = (options: {
  noInitialRun: boolean
  print(): void
  printErr(): void
  instantiateWasm(imports: Imports, done: (instance: Instance) => void): object
}) => Promise<Program>

/** By a variable, for the package may be missing. */
const packageName = 'espeak-ng'

interface Espeak {
  /** Runs the program. @returns its exit status */
  run(args: readonly string[]): number
  files: Program['FS']
}

beChild()

let espeak: Promise<Espeak> | undefined

answerRequests(async ({ text, file, voices }: EspeakRequest): Promise<VoiceAnswer> => {
  try {
    espeak ??= startEspeak()
    const program = await espeak
    for (const voice of voices) {
      const wav = wavOf(program, text, voice)
      if (wav !== null && (hasSamples(wav) || isVoice(program, voice))) return writeAnswer(file, wav)
    }
    return { kind: 'voiceless' }
  } catch (error) {
    // Its memory may be in any state.
    espeak = undefined
    throw error
  }
})

const headerBytes = 44
const hasSamples = (wav: Uint8Array): boolean => wav.length > headerBytes

/** A variant without a language, as "alloy" happens to be one, is taken and says nothing. A text of signs may have no sound. */
function isVoice(program: Espeak, voice: string): boolean {
  const wav = wavOf(program, '1', voice)
  return wav !== null && hasSamples(wav)
}

/** Null for a voice that it does not have. */
function wavOf({ run, files }: Espeak, text: string, voice: string): Uint8Array | null {
  // Two brackets begin a spelling in its own phonemes.
  files.writeFile('in.txt', text.replaceAll('[[', '[ ['))
  // Without the pause at the end (-z), and with UTF-8 (-b 1).
  const status = run(['espeak-ng', '-z', '-b', '1', '-v', voice, '-f', 'in.txt', '-w', 'out.wav'])
  if (status === 1) return null
  if (status !== 0) throw new Error(`it ended with ${status}`)
  const wav = files.readFile('out.wav')
  files.unlink('out.wav')
  return wav
}

/**
 * The program is made to run once. To start it anew takes 200 ms. To put its memory back to what it was before its first
 * run takes 5 ms, and gives the same sound.
 */
async function startEspeak(): Promise<Espeak> {
  const { default: load }: { default: Load } = await import(packageName)
  const wasm = await readFile(new URL('espeak-ng.wasm', import.meta.resolve(packageName)))
  const instantiated = Promise.withResolvers<ProgramExports>()
  const program = await load({
    noInitialRun: true,
    print: () => {},
    printErr: () => {},
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(wasm, imports).then(({ instance }) => {
        instantiated.resolve(instance.exports)
        done(instance)
      }, instantiated.reject)
      return {}
    }
  })
  const exported = await instantiated.promise
  const before = usedPart(new Uint8Array(exported.memory.buffer))
  const stack = exported.stackSave()
  return {
    files: program.FS,
    run: args => {
      const memory = new Uint8Array(exported.memory.buffer)
      memory.set(before)
      memory.fill(0, before.length)
      exported.stackRestore(stack)
      return runMain(exported, args)
    }
  }
}

/** A copy without the zeros at the end, which are nearly half of it. */
const usedPart = (memory: Uint8Array): Uint8Array => memory.slice(0, memory.findLastIndex(byte => byte !== 0) + 1)

function runMain({ memory, stackAlloc, __main_argc_argv: main }: ProgramExports, args: readonly string[]): number {
  const pointers = args.map(arg => {
    const bytes = Buffer.from(`${arg}\0`)
    const pointer = stackAlloc(bytes.length)
    new Uint8Array(memory.buffer).set(bytes, pointer)
    return pointer
  })
  const list = stackAlloc((pointers.length + 1) * 4)
  new Uint32Array(memory.buffer).set([...pointers, 0], list >> 2)
  try {
    return main(args.length, list)
  } catch (error) {
    // `exit` is thrown, with its status.
    if (typeof error === 'object' && error !== null && 'status' in error) return Number(error.status)
    throw error
  }
}
