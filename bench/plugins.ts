// Start of a service with 20 third-party plugins against one with none: node bench/plugins.ts [--rounds 5]
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { makeGalley } from './galley.ts'
import { measured } from './target.ts'
import { median } from './wrk.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })
const folder = mkdtempSync(path.join(tmpdir(), 'galley-plugins-'))
const config = path.join(folder, 'plugins.config.json')
const { plugins: own } = JSON.parse(readFileSync(new URL('../plugins.config.json', import.meta.url), 'utf8'))
const others = Array.from({ length: 20 }, (_, index) => writePlugin(`guest-${index + 1}`))
const configure = (plugins: readonly string[]) => writeFileSync(config, JSON.stringify({ plugins }))

process.env.GALLEY_PLUGINS = config
configure(own)
const galley = await makeGalley(undefined)
try {
  // The first start makes the queues of the plugins' jobs, and compiles what is kept.
  for (const plugins of [own, [...own, ...others]]) await time(plugins)
  const none: Start[] = []
  const twenty: Start[] = []
  // In turn, so that a busy moment meets both.
  for (let n = 0; n < Number(values.rounds); n++) {
    none.push(await time(own))
    twenty.push(await time([...own, ...others]))
  }
  const ratio = (key: keyof Start) => median(twenty.map(start => start[key])) / median(none.map(start => start[key]))
  console.table([
    measured('start with 20 third-party plugins against none', ratio('ms'), 'times', '<', 1.5),
    measured('the same by CPU', ratio('cpuMs'), 'times', '<', 1.5)
  ])
} finally {
  await galley.remove()
  rmSync(folder, { recursive: true })
}

interface Start {
  ms: number
  cpuMs: number
}

async function time(plugins: readonly string[]): Promise<Start> {
  configure(plugins)
  const serving = await galley.serve()
  // User and system time in hundredths of a second, from proc(5).
  const fields = readFileSync(`/proc/${serving.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const cpuMs = (Number(fields[11]) + Number(fields[12])) * 10
  const { status } = await fetch(`${serving.url}/api/guest-20/second`)
  if (status !== (plugins.length > own.length ? 200 : 404)) throw new Error(`The last plugin answered ${status}.`)
  await serving.stop()
  return { ms: serving.startedInMs, cpuMs }
}

/** A package of its own with two routes, a setting, a command, a job and a subscription. */
function writePlugin(name: string): string {
  const place = path.join(folder, 'node_modules', name)
  const key = name.replaceAll('-', '_')
  mkdirSync(place, { recursive: true })
  writeFileSync(path.join(place, 'package.json'), JSON.stringify({ name, type: 'module', exports: './plugin.js' }))
  writeFileSync(
    path.join(place, 'commands.js'),
    `import { command } from 'galley/plugin'
export const commands = { greet: command({ describe: 'Greet', args: {}, run: async () => 'hello', text: String }) }
`
  )
  writeFileSync(
    path.join(place, 'routes.js'),
    `import { access, Type } from 'galley/plugin'
const answer = { 200: Type.Object({ greeting: Type.String() }) }
export const routes = greeting => async app => {
  for (const part of ['first', 'second']) {
    const schema = { operationId: part + '_${key}', tags: ['${name}'], summary: 'Greet', response: answer }
    app.get('/api/${name}/' + part, { config: { access: access.public }, schema }, async () => ({ greeting: greeting() }))
  }
}
`
  )
  writeFileSync(
    path.join(place, 'plugin.js'),
    `import { CONTRACT, definePlugin, job, jobType, on, setting, Type } from 'galley/plugin'
import { PostPublished, PublishedPostsService } from 'galley/plugins/posts'
import { routes } from './routes.js'
export default definePlugin({
  name: '${name}',
  contract: CONTRACT,
  describe: 'Greets whoever asks',
  needs: { published: PublishedPostsService },
  settings: { ${key}_greeting: setting(Type.String({ maxLength: 100 }), { default: 'hello', describe: 'What it says to all.' }) },
  setup: ({ settings }) => ({
    services: {},
    routes: routes(() => settings.get('${key}_greeting')),
    commands: { '${name}': { describe: 'Greet', load: async () => (await import('./commands.js')).commands } },
    jobs: [job(jobType('${name}.greet'), async () => {})],
    subscriptions: [on(PostPublished, async () => {})]
  })
})
`
  )
  return name
}
