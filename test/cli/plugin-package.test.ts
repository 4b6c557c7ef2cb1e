import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { packageRoot } from '../../core/paths.ts'
import { installHome } from '../helpers/installed-home.ts'
import { addPackage, installPackages, packGalley, packPackage, run, runBeside } from '../helpers/package.ts'
import { createInstallation, type Installation, type Running } from '../helpers/program.ts'
import { until } from '../helpers/until.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'galley-package-'))
const operator = path.join(folder, 'operator')
const author = path.join(folder, 'author')
const own = JSON.parse(readFileSync(path.join(packageRoot, 'plugins.config.json'), 'utf8')).plugins

const tarballs: string[] = []
let installation: Installation
let server: Running | undefined
let url: string
let declarations: ReturnType<typeof runBeside>

const configure = (...plugins: string[]) =>
  writeFileSync(path.join(operator, 'plugins.config.json'), JSON.stringify({ plugins: [...own, ...plugins] }))
const galley = (...argv: string[]) =>
  installation.run(argv, { cwd: operator, bin: path.join(operator, 'node_modules/.bin/galley') })

async function succeed(...argv: string[]): Promise<string> {
  const { status, stdout, stderr } = await galley(...argv)
  assert.equal(status, 0, `galley ${argv.join(' ')}: ${stderr}`)
  return stdout
}

async function start(): Promise<void> {
  server = installation.start(['serve'], { cwd: operator, bin: path.join(operator, 'node_modules/.bin/galley') })
  url = (await server.says(/ready at (\S+)/))[1] as string
}

async function stop(): Promise<void> {
  server?.child.kill('SIGTERM')
  await server?.ended
}

const send = async (method: string, target: string, body?: unknown) => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url + target, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers })
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

before(async () => {
  for (const each of [operator, author]) mkdirSync(each)
  installation = createInstallation()
  const galleyTarball = packGalley()
  // The author builds against the installed package, as a third party does.
  mkdirSync(path.join(author, 'node_modules'))
  cpSync(path.join(packageRoot, 'examples/reactions'), author, { recursive: true })
  symlinkSync(path.join(operator, 'node_modules/galley'), path.join(author, 'node_modules/galley'))
  symlinkSync(path.join(packageRoot, 'node_modules/@types'), path.join(author, 'node_modules/@types'))
  installPackages(operator, { galley: galleyTarball })
  run('tsc', ['-p', '.', '--noCheck', '--singleThreaded'], author)
  // Checking it with all declarations but the compiler's own takes seconds: meanwhile the plugin is tried.
  const checksAll = ['--noEmit', '--skipLibCheck', 'false', '--skipDefaultLibCheck', '--singleThreaded']
  declarations = runBeside('tsc', ['-p', '.', ...checksAll], author)
  const reactionsTarball = packPackage(author, folder)
  tarballs.push(galleyTarball, reactionsTarball)
  addPackage(operator, 'galley-reactions', reactionsTarball)
  configure('galley-reactions')
  // What the plugin adds to it is left to do: a guide's test sets up a new one.
  await installHome(installation)
})
after(async () => {
  await declarations
  await stop()
  await installation.close()
  rmSync(folder, { recursive: true, force: true })
})

const publint = path.join(packageRoot, 'node_modules/.bin/publint')

test('what the package says of itself holds', { skip: !existsSync(publint) && 'publint is not installed' }, () => {
  for (const tarball of tarballs) assert.match(run(publint, [tarball, '--strict'], folder), /All good!/)
})

test('npx finds the installed program', () => {
  const version = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')).version
  assert.equal(run('npx', ['--no-install', 'galley', '--version'], operator).trim(), version)
})

test('help shows the plugin’s command before anything is set up', async () => {
  assert.match(await succeed('reactions', '--help'), /What readers think of posts/)
})

test('the list and the doctor show it as any other', async () => {
  const { items } = JSON.parse(await succeed('plugins', 'list', '--json'))
  const { needs, settings, ...row } = items.find(({ name }: { name: string }) => name === 'reactions')
  assert.deepEqual(row, {
    name: 'reactions',
    entry: 'galley-reactions',
    version: '1.0.0',
    contract: 1,
    describe: 'Readers react to posts',
    provides: [],
    routes: ['GET /api/reactions/:post_id', 'POST /api/reactions/:post_id'],
    commands: ['reactions'],
    checks: []
  })
  assert.deepEqual([needs.length, settings.length], [3, 4])
  assert.match(await succeed('plugins', 'doctor'), /^OK/)
})

test('an installed plugin is set up, migrated and served with all it brings', async () => {
  await succeed('setup')
  await start()
  assert.match(await succeed('migrate', 'status'), /20261121_000000_reactions\.sql +reactions +applied/)
  const file = path.join(operator, 'post.md')
  writeFileSync(file, '# How tides follow the moon\n\nTwice a day.')
  const { post_id } = JSON.parse(await succeed('posts', 'create', '--from-file', file, '--json'))
  await succeed('posts', 'publish', post_id)
  const target = `/api/reactions/${post_id}`
  assert.equal((await send('POST', target, { kind: 'like' })).status, 201)
  assert.deepEqual((await send('POST', target, { kind: 'shrug' })).body.error_code, 'VALIDATION_ERROR')
  await succeed('settings', 'set', 'pipeline_gate_reaction_review', 'on')
  const held = await send('POST', target, { kind: 'insightful' })
  await succeed('gates', 'approve', held.body.reaction_id, '--gate', 'reaction_review')
  const counted = [
    { kind: 'insightful', count: 1 },
    { kind: 'like', count: 1 }
  ]
  assert.deepEqual((await send('GET', target)).body.items, counted)
  const { data } = (
    await send('POST', '/graphql', { query: '{ posts(first: 1) { edges { node { reactions { kind count } } } } }' })
  ).body
  assert.deepEqual(data.posts.edges[0].node.reactions, counted)
  assert.match(await succeed('reactions', 'list'), /insightful/)
  const { paths } = (await send('GET', '/openapi.json')).body
  assert.ok('/api/reactions/{post_id}' in paths)
})

test('a theme that was just written is the site’s, and its own test passes', async () => {
  const theme = path.join(folder, 'my-theme')
  await succeed('site', 'theme', 'create', theme)
  assert.match(await succeed('site', 'theme', 'check', theme), /makes every kind of page/)
  await succeed('settings', 'set', 'site_theme', theme)
  assert.match(await (await fetch(`${url}/`)).text(), /<ul class="column"[\s\S]*How tides follow the moon/)
  mkdirSync(path.join(theme, 'node_modules'))
  symlinkSync(path.join(operator, 'node_modules/galley'), path.join(theme, 'node_modules/galley'))
  run('node', ['--test'], theme)
  await succeed('settings', 'set', 'site_theme', '')
})

test('without the optional package that speaks, it is said where somebody looks, and the service goes on', async () => {
  rmSync(path.join(operator, 'node_modules/espeak-ng'))
  const missing =
    /speech_driver is embedded, but the optional package espeak-ng is not installed: npm install espeak-ng/
  const { status, stderr } = await galley('settings', 'set', 'speech_driver', 'embedded')
  assert.match(stderr, missing)
  assert.equal(status, 2)
  const [{ post_id, slug }] = (await send('GET', '/api/posts')).body.items
  const { job_id } = JSON.parse(await succeed('media', 'generate', post_id, '--json'))
  let job: { state?: string; error?: string } = {}
  await until(async () => {
    job = JSON.parse((await galley('media', 'status', job_id, '--json')).stdout)
    return job.state === 'failed'
  }, 'the job fails')
  assert.match(job.error ?? '', missing)
  assert.match((await galley('doctor')).stdout, missing)
  assert.equal((await send('GET', `/api/posts/${slug}`)).status, 200)
})

test('the installed program makes a backup, lists it and restores it, in the processes it starts for that', async () => {
  await succeed('backup', 'create')
  const [{ file, problem }] = JSON.parse(await succeed('backup', 'list', '--json')).items
  assert.equal(problem, null)
  await stop()
  // It begins with what verify does.
  const { tables } = JSON.parse(await succeed('backup', 'restore', file, '--force', '--yes', '--json'))
  assert.equal(tables['public.posts'], 1)
})

test('a broken plugin stops the start, which names it; the service runs again without it, and without the tables of another', async () => {
  await succeed('migrate', 'down', '--all', '--plugin', 'reactions', '--yes')
  const broken = path.join(operator, 'broken')
  mkdirSync(broken)
  writeFileSync(
    path.join(broken, 'plugin.js'),
    `import { access, CONTRACT, definePlugin, job, jobType } from 'galley/plugin'
    const schema = { operationId: 'taken', summary: 'Taken' }
    export default definePlugin({
      name: 'broken',
      contract: CONTRACT,
      describe: 'Takes the address of another',
      setup: () => ({
        services: {},
        routes: async app => void app.get('/api/posts', { config: { access: access.public }, schema }, async () => ({})),
        jobs: [job(jobType('broken.work'), async () => {})]
      })
    })`
  )
  configure('./broken')
  const { status, stderr } = await galley('serve')
  assert.match(
    stderr,
    /- broken: its routes could not be added \(the route GET \/api\/posts is already brought by posts\)/
  )
  assert.equal(status, 1)
  assert.equal((await galley('plugins', 'doctor')).status, 1)
  assert.match(await succeed('plugins', 'disable', '--help'), /Leave a plugin out/)
  await succeed('plugins', 'disable', 'broken')
  await start()
  assert.doesNotMatch(await succeed('jobs', 'status'), /broken\.work/)
  await until(async () => (await send('GET', '/api/health')).body.status === 'healthy', 'it is healthy')
  assert.equal((await send('GET', '/api/reactions/x')).status, 404)
})

test('the declarations hold for an author who has them checked', async () => {
  assert.deepEqual(await declarations, { code: 0, out: '' })
})
