// A server to be held against, in a process of its own; it prints its address when it listens.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Peer {
  url: string
  child: ChildProcess
}

export async function startPeer(file: string, args: readonly string[]): Promise<Peer> {
  const child = spawn(process.execPath, [new URL(file, import.meta.url).pathname, ...args], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  process.on('exit', () => child.kill())
  const [line] = await once(child.stdout, 'data')
  return { url: String(line).trim(), child }
}
