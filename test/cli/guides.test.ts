import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { aliases } from '../../cli/aliases.ts'
import { describeService } from '../../cli/docs/service-description.ts'
import { packageRoot } from '../../core/paths.ts'

const { commands, errors, openapi, settings } = await describeService({}, packageRoot)
const keys = new Set(settings.map(({ key }) => key))
const formOf = (url: string) => url.replace(/\{\w+\}/g, '{}')
const routes = new Set(
  Object.entries(openapi.paths).flatMap(([url, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${formOf(url)}`)
  )
)
/** Names in capitals that are no error codes: variables of the environment. */
const variables = /^(GALLEY_\w+|DATABASE_URL|POINDEXTER_\w+|LOG_LEVEL|NODE_\w+|NO_COLOR|TEST_\w+|MALLOC_\w+)$/

/** What a guide says of the command line that is not so. */
function* wrongCommands(text: string): Generator<string> {
  for (const [line, first = '', second = '', rest = ''] of text.matchAll(
    /(?:`|npx )galley ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?([^`\n#]*)/g
  )) {
    const entry = commands[first]
    const command = entry === undefined || 'args' in entry ? entry : entry.commands[second]
    const isGroup = entry !== undefined && 'commands' in entry && second === ''
    if (command === undefined && !isGroup && aliases[first] === undefined) yield line
    for (const [flag, name = ''] of rest.matchAll(/--([a-z][a-z-]*)/g)) {
      const known = ['help', 'json', 'json-output', 'yes', ...Object.keys(command?.args ?? {})]
      if (
        command !== undefined &&
        !known.includes(name) &&
        !known.includes(name.replace(/^no-/, '')) &&
        !known.includes(`no-${name}`)
      )
        yield `${line}: ${flag}`
    }
  }
  for (const [line, key = ''] of text.matchAll(/galley settings (?:set|get|enable|disable) ([a-z][a-z_-]*)/g))
    if (!keys.has(key)) yield line
}

function* wrongNames(text: string): Generator<string> {
  for (const [line, method = '', url = ''] of text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[\w/{}.-]*[\w}])/g))
    if (!routes.has(`${method} ${formOf(url)}`) && url !== '/docs') yield line
  for (const [, name = ''] of text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g))
    if (!Object.hasOwn(errors, name) && !variables.test(name)) yield name
}

describe('every command, flag, setting, route and error code that a guide names is there', () => {
  const pages = globSync('{*.md,{docs,clients,core,plugins,examples,bench}/**/*.md}', {
    cwd: packageRoot,
    exclude: name => name.includes('node_modules')
  })
  assert.ok(pages.length > 20, pages.join(' '))
  /** Of the plugins that a page is about, and of every consumer. */
  const others = /galley (corrections|reactions) list|auth migrate-<consumer>/
  for (const file of pages) {
    it(file, () => {
      const text = readFileSync(path.join(packageRoot, file), 'utf8')
      const wrong = [...wrongCommands(text), ...wrongNames(text)].filter(line => !others.test(line))
      assert.deepEqual(wrong, [])
    })
  }

  it('and what is not there is found', () => {
    const text =
      '`galley tasks frob`, `galley serve --frob`, `galley settings set frob 1`, `GET /api/frob`, `FROB_FAILED`'
    assert.equal([...wrongCommands(text), ...wrongNames(text)].length, 5)
  })
})

/** Settings that belong to one feature are named in the guide by their first words; the reference has them all. */
it('every setting the guide writes in backticks with an underscore is there', () => {
  const text = readFileSync(path.join(packageRoot, 'docs', 'operations.md'), 'utf8')
  const written = [...text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name as string)
  const others =
    /^(request_id|posts_\w+|pg_trgm|awaiting_approval|final_publish_approval|max_prepared_statements|max_connections|event_type|is_machine|probe_status|niche_slug)$/
  assert.deepEqual(
    written.filter(name => !keys.has(name) && !others.test(name)),
    []
  )
})
