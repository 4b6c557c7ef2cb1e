import type { Config } from '../../core/config.ts'
import { type CommandGroup, command, type Terminal } from '../../core/contract/command.ts'
import { AppError } from '../../core/contract/errors.ts'
import type { Log } from '../../core/log.ts'
import { version } from '../../core/version.ts'
import { loadConfig } from '../config/config.ts'
import { interruptedStatus } from '../framework/run.ts'
import { sanitizeJson, sanitizeText } from '../framework/sanitize.ts'
import { serviceLog } from '../open-kernel.ts'
import { connectOwner } from '../owner/remote.ts'
import { findFreePort } from '../service/free-port.ts'
import { type Server, startServer } from '../service/server.ts'
import { closeOnSignal, forever } from '../service/shutdown.ts'
import { hasNoDatabase, isSetUp, setUp } from '../setup/setup.ts'
import { callService, type DemoService, openApi, type TaskAnswer } from './client.ts'
import { publishTopic, readBack, storeSamples } from './run.ts'

interface DemoResult {
  task: TaskAnswer
  links: { name: string; url: string }[]
  /** Whether the addresses still answer. */
  serving: boolean
}

/** `galley demo <topic>`: the main job, from a topic to a published post, unattended. */
export function demoCommand(env: NodeJS.ProcessEnv): CommandGroup[string] {
  return command({
    describe: 'Turn a topic into a published post, showing each stage',
    returns: '{task, links, serving}',
    args: {
      topic: { type: 'positional', required: true, describe: 'What to write about' },
      once: { type: 'boolean', describe: 'Stop the server and end once the post reads back' }
    },
    async run({ args, isJson, terminal }): Promise<DemoResult> {
      if (!isSetUp(env) || hasNoDatabase(env)) await setUp({ env, terminal })
      const config = loadConfig({ LOG_LEVEL: 'warn', ...env }, terminal.cwd)
      const log = serviceLog(config.logLevel, env)
      const running = await findRunning(config)
      if (running !== null) return await show(running, args.topic, terminal)
      const server = await startServer({ config: await withFreePort(config, terminal), log, worker: true })
      return await demonstrate(server, { ...args, json: isJson, terminal, log })
    },
    text: showResult
  })
}

/** The server that runs on this home already, if one does. */
async function findRunning(config: Config): Promise<DemoService | null> {
  if (config.databaseUrl !== undefined) return null
  const connect = () => connectOwner({ home: config.home, version })
  const owner = await connect()
  if (owner === null) return null
  owner.close()
  const run: DemoService['run'] = async (argv, session) => {
    const next = await connect()
    if (next === null)
      throw new AppError('SERVICE_UNAVAILABLE', `The server on ${config.home} has stopped: run the demo again.`)
    return await next.run(argv, session)
  }
  return { url: owner.url, run }
}

interface DemoRequest {
  topic: string
  once: boolean
  json: boolean
  terminal: Terminal
  log: Log
}

/** The demo in a server of its own. */
async function demonstrate(server: Server, { topic, once, json, terminal, log }: DemoRequest): Promise<DemoResult> {
  let result: DemoResult | undefined
  let isInterrupted = false
  closeOnSignal(async () => {
    isInterrupted = true
    await server.close()
    if (result === undefined) process.exit(interruptedStatus)
  }, log)
  try {
    result = await show(server, topic, terminal)
  } catch (error) {
    // The signal's own closing ends the process.
    if (isInterrupted) return await forever()
    await server.close()
    throw error
  }
  if (!once) return await stayUp(result, json, terminal)
  await server.close()
  return { ...result, serving: false }
}

async function show(service: DemoService, topic: string, terminal: Terminal): Promise<DemoResult> {
  // A part that is not in use is named before anything is made.
  for (const group of ['tasks', 'posts']) await callService(service, [group, 'list', '--limit', '1'], terminal)
  terminal.note(`The service runs at ${service.url}`)
  terminal.note(`${await storeSamples(service, terminal)} sample articles are in memory\n`)
  const api = await openApi(service, terminal)
  const task = await publishTopic(api, topic, terminal)
  return { task, links: await readBack(api, service.url, task), serving: true }
}

async function stayUp(result: DemoResult, json: boolean, terminal: Terminal): Promise<never> {
  const text = json ? sanitizeJson(JSON.stringify(result, null, 2)) : sanitizeText(showResult(result))
  process.stdout.write(`${text}\n`)
  terminal.note('\nThe server keeps running: Ctrl-C stops it.')
  return await forever()
}

function showResult({ task, links, serving }: DemoResult): string {
  const width = Math.max(...links.map(({ name }) => name.length))
  return [
    '',
    `Published: ${task.title}`,
    ...(task.excerpt === null ? [] : [`  ${task.excerpt}`]),
    '',
    ...links.map(({ name, url }) => `  ${name.padEnd(width)}  ${url}`),
    ...(serving ? [] : ['', 'The server has stopped: npx galley serve starts it again.'])
  ].join('\n')
}

const maxPortsTried = 100

/** The configured port, or the next one that is free. */
async function withFreePort(config: Config, terminal: Terminal): Promise<Config> {
  const last = Math.min(config.port + maxPortsTried, 65_536) - 1
  const port = (await findFreePort(config.host, config.port, last)) ?? config.port
  if (port !== config.port) terminal.note(`Port ${config.port} is in use: the demo takes ${port}.`)
  return { ...config, port }
}
