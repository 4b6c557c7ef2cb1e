// A bucket in a process of its own, so that it takes no time of the service's: `startBucket(folder)` forks this file. It has the
// files of a folder, and answers each request after a while, as one in the network does.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startObjectStorage } from '../test/helpers/object-storage.ts'

/** A request that was answered, in ms of the clock. `isNaming`: of an object that named the watched post. */
export interface Answered {
  method: string
  key: string
  from: number
  at: number
  isNaming: boolean
}

type Message = { watch: string } | { report: true }

/** A bucket with the files of `folder`, each request of which takes `ms`. */
export async function startBucket(folder: string, ms: number) {
  const child = fork(new URL(import.meta.url).pathname, [folder, String(ms)])
  const ask = async <T>(message: Message): Promise<T> => {
    child.send(message)
    return (await once(child, 'message'))[0] as T
  }
  const [url] = (await once(child, 'message')) as [string]
  return {
    url,
    /** From now on requests are noted, and which objects name a post of this slug. @returns how many do */
    watch: (slug: string) => ask<number>({ watch: slug }),
    /** What was answered since, and the keys that name the post now. */
    report: () => ask<{ answered: Answered[]; naming: string[] }>({ report: true }),
    stop: () => child.kill()
  }
}

async function serve(folder: string, ms: number, parent: Pick<ChildProcess, 'send' | 'on'>): Promise<void> {
  const storage = await startObjectStorage()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isFile()) storage.objects.set(path.relative(folder, file), { body: readFileSync(file), headers: {} })
  }
  let answered: Answered[] = []
  let naming = new Set<string>()
  let pattern = /^$/
  const listNaming = () => [...storage.objects].flatMap(([key, { body }]) => (isNaming(key, body) ? [key] : []))
  const isNaming = (key: string, body: Buffer) =>
    key.search(pattern) >= 0 || body.toString('latin1').search(pattern) >= 0
  storage.holdWith(async ({ method, key }) => {
    const from = Date.now()
    await sleep(ms)
    answered.push({ method, key, from, at: Date.now(), isNaming: naming.has(key) })
  })
  parent.on('message', (message: Message) => {
    if ('report' in message) return parent.send({ answered, naming: listNaming() })
    pattern = new RegExp(`\\b${message.watch}(?![\\w-])`)
    answered = []
    naming = new Set(listNaming())
    parent.send(naming.size)
  })
  parent.send(storage.url)
}

const [, file, folder, ms] = process.argv
if (file === new URL(import.meta.url).pathname && folder !== undefined)
  await serve(folder, Number(ms), process as unknown as ChildProcess)
