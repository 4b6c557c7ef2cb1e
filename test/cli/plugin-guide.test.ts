import assert from 'node:assert/strict'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import * as toolkit from '../../cli/toolkit.ts'
import { CONTRACT } from '../../core/contract/plugin.ts'
import { packageRoot } from '../../core/paths.ts'
import * as testing from '../../testing/index.ts'
import { installHome } from '../helpers/installed-home.ts'
import { installPackages, packGalley, run } from '../helpers/package.ts'
import { createInstallation } from '../helpers/program.ts'

const guide = readFileSync(path.join(packageRoot, 'docs/plugins.md'), 'utf8')
const folder = mkdtempSync(path.join(tmpdir(), 'galley-guide-'))
after(() => rmSync(folder, { recursive: true }))

/** The guide's code, in its order: files to write, and lines for the shell. */
const steps = [...guide.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(([, language, file, text]) => ({
  language: language as string,
  file,
  text: text as string
}))

test('the guide works as it is written: the plugin passes its tests, is migrated, runs, is packed, and served from what was packed', async () => {
  const operator = path.join(folder, 'operator')
  mkdirSync(operator)
  installPackages(operator, { galley: packGalley() })
  const galley = path.join(operator, 'node_modules/.bin/galley')
  // Whoever is handed the plugin sets up a new one.
  const home = path.join(folder, 'home')
  await installHome({ home })
  process.env.GALLEY_HOME = home
  for (const { language, file, text } of steps) {
    if (file !== undefined) {
      mkdirSync(path.dirname(path.join(operator, file)), { recursive: true })
      writeFileSync(path.join(operator, file), text)
    } else if (language === 'sh') run('bash', ['-ec', text.replaceAll('npx galley', galley)], operator)
  }
  assert.deepEqual(globSync('*.tgz', { cwd: operator }), ['galley-corrections-0.1.0.tgz'])
  await servePacked(path.join(operator, 'galley-corrections-0.1.0.tgz'))
  // Its comments declare types: they hold.
  const strict = [
    '--noEmit',
    '--checkJs',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--types',
    'node',
    '--skipLibCheck',
    '--singleThreaded'
  ]
  run(
    'tsc',
    [...strict, 'corrections/plugin.js', 'corrections/commands.js', ...globSync('recipe/*.js', { cwd: operator })],
    operator
  )
})

/** As whoever is handed the tarball does, in a folder with nothing else. */
async function servePacked(tarball: string): Promise<void> {
  const operator = path.join(folder, 'other')
  mkdirSync(operator)
  installPackages(operator, { galley: packGalley(), 'galley-corrections': tarball })
  const shown = steps.find(({ file }) => file === 'plugins.config.json')?.text ?? ''
  writeFileSync(path.join(operator, 'plugins.config.json'), shown.replace('./corrections', 'galley-corrections'))
  const options = { cwd: operator, bin: path.join(operator, 'node_modules/galley/cli/bin.js') }
  const installation = createInstallation()
  try {
    for (const line of ['plugins doctor', 'setup']) {
      const { status, stdout, stderr } = await installation.run(line.split(' '), options)
      assert.equal(status, 0, stdout + stderr)
    }
    const url = (await installation.start(['serve'], options).says(/ready at (\S+)/))[1]
    const response = await fetch(`${url}/api/corrections/00000000-0000-4000-8000-000000000000`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"text": "It is twice."}'
    })
    assert.match(await response.text(), /Nothing can be reported of post/)
  } finally {
    await installation.close()
  }
}

test('the configuration it shows is the package’s own with the new plugin', () => {
  const { plugins } = JSON.parse(readFileSync(path.join(packageRoot, 'plugins.config.json'), 'utf8'))
  const shown = steps.find(({ file }) => file === 'plugins.config.json')
  assert.deepEqual(JSON.parse(shown?.text ?? '').plugins, [...plugins, './corrections'])
})

const isNamed = (name: string): boolean => new RegExp(`\`${name}\\b`).test(guide)

test('every export of galley/plugin, galley/toolkit and galley/testing is described, types too', () => {
  const named = ['core/contract/index.ts', 'core/toolkit.ts'].flatMap(namesIn)
  const names = new Set([...named, ...Object.keys(toolkit), ...Object.keys(testing)])
  assert.ok(names.size > 150, `${names.size}`)
  assert.deepEqual(
    [...names].filter(name => !isNamed(name)),
    []
  )
})

/** What a file exports by name, types included. */
function namesIn(file: string): string[] {
  const text = readFileSync(path.join(packageRoot, file), 'utf8')
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(match => (match[1] as string).split(','))
  return listed.map(name => name.replace('type ', '').trim()).filter(name => name !== '')
}

test('the version of the contract is the one described, and so is every field of it', () => {
  assert.ok(guide.includes(`\`CONTRACT\` is ${CONTRACT}.`))
  const source = readFileSync(path.join(packageRoot, 'core/contract/plugin.ts'), 'utf8')
  const fields = ['Context', 'Contribution', 'PluginDefinition'].flatMap(name => {
    const body = new RegExp(`export interface ${name}<[\\s\\S]*?\\n}`).exec(source)?.[0] ?? ''
    return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(match => match[1] as string)
  })
  assert.ok(fields.length > 20, fields.join(' '))
  assert.deepEqual(
    fields.filter(name => !isNamed(name)),
    []
  )
})

test('every plugin that offers something is named, and none that does not', () => {
  const offering = globSync('plugins/*/index.ts', { cwd: packageRoot }).map(file => path.basename(path.dirname(file)))
  const named = [...guide.matchAll(/^\| `galley\/plugins\/([a-z-]+)` \|/gm)].map(match => match[1])
  assert.deepEqual(named.sort(), offering.sort())
})
