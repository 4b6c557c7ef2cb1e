import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface WrkOptions {
  seconds: number
  /** A Lua script that makes the requests. */
  script?: string
  headers?: Readonly<Record<string, string>>
  /** Default: 32. */
  connections?: number
  /** The server's process, to tell its CPU time. */
  pid?: number | undefined
}

export interface WrkRun {
  perSecond: number
  /** Server CPU time a request; undefined without a pid. */
  cpuMicros: number | undefined
}

const runWrk = (args: readonly string[]) =>
  run('wrk', args).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error('wrk is not installed: apt-get install wrk') : error
  })

/** One run of wrk with one thread. @throws Error when an answer is not 2xx or 3xx. */
export async function wrk(
  url: string,
  { seconds, script, headers = {}, connections = 32, pid }: WrkOptions
): Promise<WrkRun> {
  const before = cpuSeconds(pid)
  const lua = script === undefined ? [] : ['-s', script]
  const sent = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const { stdout } = await runWrk(['-t1', `-c${connections}`, `-d${seconds}s`, ...lua, ...sent, url])
  const cpu = cpuSeconds(pid)
  if (/Non-2xx/.test(stdout)) throw new Error(`${url} does not answer 200: ${stdout}`)
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1])
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
  return {
    perSecond,
    cpuMicros: cpu === undefined || before === undefined ? undefined : ((cpu - before) / requests) * 1e6
  }
}

/** User and system time of a process, from fields 14 and 15 of its stat line (in hundredths). */
export function cpuSeconds(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Resident memory of a process in MB. */
export function residentMb(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
}

/** Runs ours and theirs in turn, so that a busy moment of the machine meets both; answers the medians. */
export async function alternate(rounds: number, ours: () => Promise<WrkRun>, theirs: () => Promise<WrkRun>) {
  const runs: { ours: WrkRun; theirs: WrkRun }[] = []
  for (let round = 0; round < rounds; round++) runs.push({ theirs: await theirs(), ours: await ours() })
  const speed = (side: 'ours' | 'theirs') => median(runs.map(run => run[side].perSecond))
  const cpu = (side: 'ours' | 'theirs') => median(runs.map(run => run[side].cpuMicros ?? Number.NaN))
  return {
    theirs: Math.round(speed('theirs')),
    galley: Math.round(speed('ours')),
    'CPU µs': `${Math.round(cpu('theirs'))}; ${Math.round(cpu('ours'))}`,
    ratio: (speed('ours') / speed('theirs')).toFixed(2),
    'ratio by CPU': (cpu('theirs') / cpu('ours')).toFixed(2)
  }
}
