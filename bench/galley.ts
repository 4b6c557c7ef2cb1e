// A real service in processes of its own, as an operator runs it: `galley setup`, then `galley serve`.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { openDatabase } from '../cli/database/open.ts'
import { createPostgres } from '../cli/database/postgres/postgres.ts'
import type { Db } from '../core/contract/database.ts'

const bin = new URL('../cli/bin.js', import.meta.url).pathname
const run = promisify(execFile)

/** An installation in a folder of its own; on `serverUrl` in a database of its own. */
export interface Galley {
  readonly home: string
  readonly databaseUrl: string | undefined
  /** Runs a command to its end; answers its stdout. */
  command(...args: string[]): Promise<string>
  /** The database, while no server owns it. */
  database<T>(work: (db: Db) => Promise<T>): Promise<T>
  serve(...args: string[]): Promise<Serving>
  remove(): Promise<void>
}

export interface Serving {
  readonly url: string
  readonly pid: number
  readonly startedInMs: number
  stop(): Promise<void>
}

export async function makeGalley(serverUrl: string | undefined): Promise<Galley> {
  const home = mkdtempSync(path.join(tmpdir(), 'galley-bench-'))
  const name = `galley_bench_${process.pid}_${Date.now()}`
  const databaseUrl =
    serverUrl === undefined ? undefined : Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  if (serverUrl !== undefined) await onServer(serverUrl, `create database ${name}`)
  const env = { ...process.env, GALLEY_HOME: home, PORT: '0', LOG_LEVEL: 'error', DATABASE_URL: undefined }
  const command = async (...args: string[]) =>
    (await run(process.execPath, [bin, ...args], { env, maxBuffer: 1e8 })).stdout
  await command('setup', ...(databaseUrl === undefined ? [] : ['--db-url', databaseUrl]))
  return {
    home,
    databaseUrl,
    command,
    async database(work) {
      const db = await openDatabase({ home, ...(databaseUrl === undefined ? {} : { url: databaseUrl }) })
      return work(db).finally(() => db.close())
    },
    serve: (...args) => serve(env, args),
    async remove() {
      rmSync(home, { recursive: true, force: true })
      if (serverUrl !== undefined) await onServer(serverUrl, `drop database if exists ${name} with (force)`)
    }
  }
}

async function serve(env: NodeJS.ProcessEnv, args: string[]): Promise<Serving> {
  const begun = performance.now()
  const child = spawn(process.execPath, [bin, 'serve', ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  process.on('exit', () => child.kill())
  const url = await readyUrl(child)
  return {
    url,
    pid: child.pid as number,
    startedInMs: performance.now() - begun,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  }
}

function readyUrl(child: ChildProcess): Promise<string> {
  let text = ''
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', piece => {
      text += piece
      const url = /ready at (\S+)/.exec(text)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.on('exit', () => reject(new Error(`galley serve ended: ${text}`)))
  })
}

async function onServer(serverUrl: string, sql: string): Promise<void> {
  const server = createPostgres({ url: serverUrl, max: 1 })
  await server.script(sql).finally(() => server.close())
}
